// Loads, stores and address conversion: which path an access takes. Three things happen to every access: it is checked
// (alignment, bounds), it is counted (both in memory_spaces.cpp) and it moves data (transfer.cpp); the common shapes
// (one lane, 32 consecutive words) take short ways through all three here.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/access_counts.hpp"
#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

std::byte* WarpImpl::local_memory(int lane) {
  const size_t thread = static_cast<size_t>(index_) * isa::kWarpSize + static_cast<size_t>(lane);
  return block_->local_.data() + thread * grid_->local_bytes_;
}

void WarpImpl::set_addresses(const ir::Inst& inst, LaneMask active) {
  const std::byte* const regs = groups_[static_cast<size_t>(current_)].frame->regs;
  const auto offset = static_cast<uint64_t>(inst.offset);
  if (inst.addr == isa::kNoSlot) {
    address_.fill(offset);
  } else if (inst.addr_bytes == 8) {
    address_.set(reinterpret_cast<const uint64_t*>(regs + inst.addr), offset, active);
  } else {
    address_.set(reinterpret_cast<const uint32_t*>(regs + inst.addr), static_cast<uint32_t>(offset), active);
  }
}

// Lane addresses of the access, then the space's own path.
void WarpImpl::memory(const ir::Inst& inst, LaneMask active, Effects* effects) {
  switch (inst.mem) {
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep:
    case isa::Mem::cta_rank: return convert_address(inst, active);
    case isa::Mem::fence:
    case isa::Mem::prefetch:
    case isa::Mem::none: return;
    case isa::Mem::ld:
    case isa::Mem::st:
    case isa::Mem::atom:
    case isa::Mem::red: break;
    case isa::Mem::copy_async: spin_.memory_changed(); return copy_async(inst, active, effects);
    case isa::Mem::copy_bulk: spin_.memory_changed(); return copy_bulk(inst, active, effects);
  }
  set_addresses(inst, active);
  switch (inst.mods.space) {
    case isa::Space::generic: return generic_access(inst, active, effects);
    case isa::Space::global:
    case isa::Space::constant: return global_access(inst, active, effects);
    case isa::Space::shared: return shared_access(inst, active, effects);
    case isa::Space::local: return local_access(inst, active, effects);
    case isa::Space::param: return param_access(inst, active);
  }
}

// A generic address says by its value which window it is in; lanes of one instruction may differ. Addresses in the
// windows become offsets in their memory.
WarpImpl::Windows WarpImpl::sort_generic(LaneMask active) {
  Windows out;
  if (address_.range(active).high < isa::kSharedWindow) {
    out.global = active;
    return out;
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    const uint64_t a = address_[lane];
    if (a >= isa::kSharedWindow && a < isa::kSharedWindow + isa::kSharedWindowSize) {
      out.shared |= 1u << lane;
      address_.set(lane, a - isa::kSharedWindow);
    } else if (a >= isa::kLocalWindow && a < isa::kLocalWindow + isa::kLocalWindowSize) {
      out.local |= 1u << lane;
      address_.set(lane, a - isa::kLocalWindow);
    } else if (in_param_window(a)) {
      out.param |= 1u << lane;
      address_.set(lane, a - kParamWindow);
    }
  }
  out.global = active & ~(out.shared | out.local | out.param);
  return out;
}

void WarpImpl::generic_access(const ir::Inst& inst, LaneMask active, Effects* effects) {
  const Windows lanes = sort_generic(active);
  if (lanes.global != 0) {
    global_access(inst, lanes.global, effects);
  }
  if (lanes.shared != 0 && !trapped()) {
    shared_access(inst, lanes.shared, effects);
  }
  if (lanes.local != 0 && !trapped()) {
    local_access(inst, lanes.local, effects);
  }
  if (lanes.param != 0 && !trapped()) {
    param_access(inst, lanes.param);
  }
}

bool WarpImpl::find_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place) {
  switch (inst.mods.space) {
    case isa::Space::generic: {
      const Windows lanes = sort_generic(active);
      return (lanes.global == 0 || global_places(inst, lanes.global, effects, place)) &&
             (lanes.shared == 0 || shared_places(inst, lanes.shared, effects, place)) &&
             (lanes.local == 0 || local_places(inst, lanes.local, effects, place));
    }
    case isa::Space::global:
    case isa::Space::constant: return global_places(inst, active, effects, place);
    case isa::Space::shared: return shared_places(inst, active, effects, place);
    case isa::Space::local: return local_places(inst, active, effects, place);
    case isa::Space::param: break;
  }
  return false;
}

// The two shapes most accesses have, one lane or 32 consecutive elements, in an allocation met before. False: not one
// of these; nothing has happened.
bool WarpImpl::quick_access(const ir::Inst& inst, LaneMask active, Pc pc) {
  const bool load = inst.mem == isa::Mem::ld;
  const uint32_t bytes = inst.elem_bytes;
  if ((!load && (inst.mem != isa::Mem::st || spin_.watches())) || inst.mods.vec != 1 || inst.addr == isa::kNoSlot ||
      inst.addr_bytes != 8 || (inst.mods.space != isa::Space::global && inst.mods.space != isa::Space::generic) ||
      bytes > 8) {
    return false;
  }
  const Frame& frame = *groups_[static_cast<size_t>(current_)].frame;
  const RegionHint& hint = tally_->hints[static_cast<size_t>(frame.function_index)][pc];
  const auto* base = reinterpret_cast<const uint64_t*>(frame.regs + inst.addr);
  const bool one = single_lane(active);
  const auto lane = static_cast<size_t>(std::countr_zero(active));
  const uint64_t first = base[lane] + static_cast<uint64_t>(inst.offset);
  const uint64_t size = one ? bytes : uint64_t{bytes} * 32;
  if ((first & (bytes - 1)) != 0 || first < hint.begin || first + size > hint.end || first + size < first ||
      hint.managed) {
    return false;
  }
  if (one) {
    transfer_one(inst, static_cast<int>(lane), hint.view + (first - hint.begin));
  } else if (active == isa::kFullMask && bytes == (load ? inst.dst_bytes : inst.src_bytes) &&
             consecutive(base, bytes)) {
    std::byte* place = const_cast<std::byte*>(hint.view) + (first - hint.begin);
    if (load) {
      std::memcpy(frame.regs + inst.dst[0], place, size);
    } else {
      const isa::Slot slot = inst.src[0];
      std::memcpy(place, (slot & isa::kConstBit) != 0 ? consts_ + (slot & ~isa::kConstBit) : frame.regs + slot, size);
    }
  } else {
    return false;
  }
  SpaceCounters& counters = load ? tally_->counters.global_ld : tally_->counters.global_st;
  const uint64_t last = first + size - 1;
  counters.requests += 1;
  counters.sectors += last / 32 - first / 32 + 1;
  counters.lines += last / 128 - first / 128 + 1;
  counters.bytes += size;
  AccessCounters& own = tally_->site(frame.function_index, pc)[isa::Space::global];
  own.requests += 1;
  own.parts += last / 32 - first / 32 + 1;
  own.ideal_parts += one ? 1 : bytes;  // sectors: of at most 8 bytes, or of 32 times as many
  if (!one) {
    own.stride.add(bytes);
  }
  return true;
}

namespace {

bool in_window(uint64_t address, uint64_t window, uint64_t size) {
  return address >= window && address - window < size;
}

}  // namespace

// Is the generic address in the space that isspacep names?
bool WarpImpl::is_in_space(const ir::Inst& inst, uint64_t address) const {
  const bool shared = in_window(address, isa::kSharedWindow, isa::kSharedWindowSize);
  switch (inst.mods.space) {
    case isa::Space::shared:
      return shared && (inst.mods.of_cluster ? cta_rank(address) < grid_->cluster_blocks()
                                             : in_block(address - isa::kSharedWindow) <= isa::kSharedOffsetMask);
    case isa::Space::local: return in_window(address, isa::kLocalWindow, isa::kLocalWindowSize);
    case isa::Space::constant: {
      const memory::Allocation* allocation = grid_->services_.memory->find(address);
      return allocation != nullptr && allocation->kind == memory::Kind::module;
    }
    case isa::Space::param: return in_param_window(address);
    case isa::Space::generic:
    case isa::Space::global: break;
  }
  return !shared && !in_window(address, isa::kLocalWindow, isa::kLocalWindowSize) && !in_param_window(address);
}

// cvta adds or removes the window base; isspacep asks for the window, getctarank for the block.
void WarpImpl::convert_address(const ir::Inst& inst, LaneMask active) {
  const isa::Space space = inst.mods.space;
  const bool shared = space == isa::Space::shared;
  const uint64_t window = shared                       ? isa::kSharedWindow
                          : space == isa::Space::local ? isa::kLocalWindow
                          : space == isa::Space::param ? kParamWindow
                                                       : 0;
  LaneMask inside = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t a = value(inst.src[0], lane, inst.src_bytes) + static_cast<uint64_t>(inst.offset);
    if (inst.mem == isa::Mem::isspacep) {
      inside |= is_in_space(inst, a) ? 1u << lane : 0u;
    } else if (inst.mem == isa::Mem::cta_rank) {
      set_value(inst.dst[0], lane, inst.dst_bytes, cta_rank(a));
    } else if (inst.mem == isa::Mem::cvta_to) {
      set_value(inst.dst[0], lane, inst.dst_bytes, shared ? in_block(a - window) : a - window);
    } else {
      set_value(inst.dst[0], lane, inst.dst_bytes, window + (shared ? in_cluster(a) : a));
    }
  }
  if (inst.mem == isa::Mem::isspacep) {
    set_predicate(inst.dst[0], active, inside);
  }
}

}  // namespace hpml::sim::exec
