// Loads, stores and address conversion: which path an access takes. Three things happen to every access: it is checked
// (alignment, bounds), it is counted (both in memory_spaces.cpp) and it moves data (transfer.cpp). Without a watcher
// most accesses take the short way of fast_access.cpp instead.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/access_counts.hpp"
#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lane_move.hpp"
#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

std::byte* WarpMemory::local_memory(int lane) const {
  const size_t thread = static_cast<size_t>(index_) * isa::kWarpSize + static_cast<size_t>(lane);
  return block_->local_.data() + thread * grid_->local_bytes_;
}

std::byte* WarpMemory::data_at(uint64_t address, int lane, uint64_t bytes) {
  if (address >= isa::kLocalWindow && address < isa::kLocalWindow + isa::kLocalWindowSize) {
    const uint64_t offset = address - isa::kLocalWindow;
    return offset + bytes <= grid_->local_bytes_ ? local_memory(lane) + offset : nullptr;
  }
  if (address >= isa::kSharedWindow && address < isa::kSharedWindow + isa::kSharedWindowSize) {
    return shared_at(address - isa::kSharedWindow, bytes);
  }
  const memory::Allocation* allocation = grid_->services_.memory->find(address);
  if (allocation == nullptr || !allocation->contains(address, bytes)) {
    return nullptr;
  }
  return allocation->view + (address - allocation->base);
}

void WarpMemory::set_addresses(const ir::Inst& inst, LaneMask active) {
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
void WarpMemory::access(const ir::Inst& inst, LaneMask active, Effects* effects) {
  switch (inst.mem) {
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep:
    case isa::Mem::cta_rank: return convert_address(inst, active);
    case isa::Mem::fence:
    case isa::Mem::prefetch:
    case isa::Mem::copy_async:
    case isa::Mem::copy_bulk:
    case isa::Mem::none: return;
    case isa::Mem::ld:
    case isa::Mem::st:
    case isa::Mem::atom:
    case isa::Mem::red: break;
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
WarpMemory::Windows WarpMemory::sort_generic(LaneMask active) {
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

void WarpMemory::generic_access(const ir::Inst& inst, LaneMask active, Effects* effects) {
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

bool WarpMemory::find_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place) {
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

namespace {

bool in_window(uint64_t address, uint64_t window, uint64_t size) {
  return address >= window && address - window < size;
}

}  // namespace

// Is the generic address in the space that isspacep names?
bool WarpMemory::is_in_space(const ir::Inst& inst, uint64_t address) const {
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
void WarpMemory::convert_address(const ir::Inst& inst, LaneMask active) {
  const isa::Space space = inst.mods.space;
  const bool shared = space == isa::Space::shared;
  const uint64_t window = shared                       ? isa::kSharedWindow
                          : space == isa::Space::local ? isa::kLocalWindow
                          : space == isa::Space::param ? kParamWindow
                                                       : 0;
  const bool converts = inst.mem == isa::Mem::cvta_to || inst.mem == isa::Mem::cvta_from;
  if (converts && window == 0 && inst.src_bytes == 8 && inst.dst_bytes == 8) {
    std::byte* const regs = groups_[static_cast<size_t>(current_)].frame->regs;
    const auto* from = reinterpret_cast<const uint64_t*>(lane_values(regs, consts_, inst.src[0]));
    auto* const to = reinterpret_cast<uint64_t*>(regs + inst.dst[0]);
    const auto offset = static_cast<uint64_t>(inst.offset);
    for (uint32_t lane = 0; lane < isa::kWarpSize; ++lane) {
      to[lane] = (active >> lane & 1u) != 0 ? from[lane] + offset : to[lane];
    }
    return;
  }
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
