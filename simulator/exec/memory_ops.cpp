// Loads, stores and address conversion. Three things happen to every access: it is checked (alignment, bounds), it
// moves data, it is counted; the common shapes (one lane, 32 consecutive words) take short ways through all three.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/access_counts.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

namespace {

uint32_t access_bytes(const ir::Inst& inst) { return uint32_t{inst.elem_bytes} * inst.mods.vec; }

bool is_write(const ir::Inst& inst) { return inst.mem != isa::Mem::ld; }

isa::Lat class_of(const ir::Inst& inst, isa::Space space) {
  const bool atomic = inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red;
  const bool store = inst.mem == isa::Mem::st;
  switch (space) {
    case isa::Space::shared: return atomic ? isa::Lat::atom_shared : store ? isa::Lat::st_shared : isa::Lat::ld_shared;
    case isa::Space::local: return store ? isa::Lat::st_local : isa::Lat::ld_local;
    case isa::Space::constant:
    case isa::Space::param: return isa::Lat::ld_const;
    case isa::Space::generic:
    case isa::Space::global: break;
  }
  return atomic ? isa::Lat::atom_global : store ? isa::Lat::st_global : isa::Lat::ld_global;
}

void describe_access(const ir::Inst& inst, LaneMask active, isa::Space space, const std::array<uint64_t, 32>& address,
                     Effects& effects) {
  effects.lat = class_of(inst, space);
  effects.has_access = true;
  Access& access = effects.access;
  access.space = space;
  access.is_load = inst.mem == isa::Mem::ld;
  access.is_store = inst.mem == isa::Mem::st;
  access.is_atomic = inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red;
  access.bytes = static_cast<uint8_t>(access_bytes(inst));
  access.cache = inst.mods.cache;
  access.active = active;
  access.address = address;
  access.line_count = access.sector_count = access.wavefronts = access.ideal_wavefronts = 0;
  access.same_address = 1;
  if (access.is_atomic) {
    std::array<uint64_t, 32> sorted;
    int n = 0;
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
      sorted[static_cast<size_t>(n++)] = address[static_cast<size_t>(std::countr_zero(rest))];
    }
    std::sort(sorted.begin(), sorted.begin() + n);
    for (int i = 1, run = 1; i < n; ++i) {
      run = sorted[static_cast<size_t>(i)] == sorted[static_cast<size_t>(i - 1)] ? run + 1 : 1;
      access.same_address = std::max(access.same_address, run);
    }
  }
}

}  // namespace

std::byte* WarpImpl::local_memory(int lane) {
  const size_t thread = static_cast<size_t>(index_) * isa::kWarpSize + static_cast<size_t>(lane);
  return block_->local_.data() + thread * grid_->local_bytes_;
}

// Lane addresses of the access, then the space's own path.
void WarpImpl::memory(const ir::Inst& inst, LaneMask active, Effects* effects) {
  switch (inst.mem) {
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep: return convert_address(inst, active);
    case isa::Mem::fence:
    case isa::Mem::prefetch:
    case isa::Mem::none: return;
    case isa::Mem::ld:
    case isa::Mem::st:
    case isa::Mem::atom:
    case isa::Mem::red: break;
  }
  const Frame& frame = *groups_[static_cast<size_t>(current_)].frame;
  const auto offset = static_cast<uint64_t>(inst.offset);
  if (inst.addr == isa::kNoSlot) {
    address_.fill(offset);
  } else if (inst.addr_bytes == 8) {
    const auto* base = reinterpret_cast<const uint64_t*>(frame.regs + inst.addr);
    if (single_lane(active)) {
      const auto lane = static_cast<size_t>(std::countr_zero(active));
      address_[lane] = base[lane] + offset;
    } else {
      for (size_t lane = 0; lane < 32; ++lane) {
        address_[lane] = base[lane] + offset;
      }
    }
  } else {
    const auto* base = reinterpret_cast<const uint32_t*>(frame.regs + inst.addr);
    for (size_t lane = 0; lane < 32; ++lane) {
      address_[lane] = static_cast<uint32_t>(base[lane] + static_cast<uint32_t>(offset));
    }
  }
  switch (inst.mods.space) {
    case isa::Space::generic: return generic_access(inst, active, effects);
    case isa::Space::global:
    case isa::Space::constant: return global_access(inst, active, effects);
    case isa::Space::shared: return shared_access(inst, active, effects);
    case isa::Space::local: return local_access(inst, active, effects);
    case isa::Space::param: return param_access(inst, active);
  }
}

// A generic address says by its value which window it is in; lanes of one instruction may differ.
void WarpImpl::generic_access(const ir::Inst& inst, LaneMask active, Effects* effects) {
  LaneMask shared = 0, local = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t a = address_[static_cast<size_t>(lane)];
    if (a >= isa::kSharedWindow) [[unlikely]] {
      shared |= a < isa::kSharedWindow + isa::kSharedWindowSize ? 1u << lane : 0u;
      local |= a >= isa::kLocalWindow && a < isa::kLocalWindow + isa::kLocalWindowSize ? 1u << lane : 0u;
    }
  }
  const LaneMask global = active & ~(shared | local);
  if (global != 0) {
    global_access(inst, global, effects);
  }
  const auto rebase = [&](LaneMask lanes, uint64_t window) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      address_[static_cast<size_t>(std::countr_zero(rest))] -= window;
    }
  };
  if (shared != 0 && !grid_->trapped()) {
    rebase(shared, isa::kSharedWindow);
    shared_access(inst, shared, effects);
  }
  if (local != 0 && !grid_->trapped()) {
    rebase(local, isa::kLocalWindow);
    local_access(inst, local, effects);
  }
}

// The two shapes most accesses have, one lane or 32 consecutive elements, in an allocation met before. False: not one
// of these; nothing has happened.
bool WarpImpl::quick_access(const ir::Inst& inst, LaneMask active, Pc pc) {
  const bool load = inst.mem == isa::Mem::ld;
  const uint32_t bytes = inst.elem_bytes;
  if ((!load && inst.mem != isa::Mem::st) || inst.mods.vec != 1 || inst.addr == isa::kNoSlot || inst.addr_bytes != 8 ||
      (inst.mods.space != isa::Space::global && inst.mods.space != isa::Space::generic) || bytes > 8) {
    return false;
  }
  const Frame& frame = *groups_[static_cast<size_t>(current_)].frame;
  const RegionHint& hint = grid_->hints_[static_cast<size_t>(frame.function_index)][pc];
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
  SpaceCounters& counters = load ? grid_->counters_.global_ld : grid_->counters_.global_st;
  const uint64_t last = first + size - 1;
  counters.requests += 1;
  counters.sectors += last / 32 - first / 32 + 1;
  counters.lines += last / 128 - first / 128 + 1;
  counters.bytes += size;
  return true;
}

bool WarpImpl::aligned(const ir::Inst& inst, LaneMask active, isa::Space space) {
  const uint64_t mask = access_bytes(inst) - 1;
  uint64_t low = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    low |= address_[static_cast<size_t>(std::countr_zero(rest))];
  }
  if ((low & mask) == 0) {
    return true;
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if ((address_[static_cast<size_t>(lane)] & mask) != 0) {
      fail(TrapKind::misaligned_address,
           fmt::format("misaligned {}-byte {} of {} memory", mask + 1, is_write(inst) ? "write" : "read",
                       space == isa::Space::generic ? "global" : isa::name(space)),
           lane, address_[static_cast<size_t>(lane)]);
      return false;
    }
  }
  return false;
}

// The allocation all active lanes fall into, or null when they do not share one (or one is out of bounds).
const RegionHint* WarpImpl::region_for(const ir::Inst& inst, LaneMask active) {
  const Frame& frame = *groups_[static_cast<size_t>(current_)].frame;
  RegionHint& hint =
      grid_->hints_[static_cast<size_t>(frame.function_index)][groups_[static_cast<size_t>(current_)].pc];
  const uint32_t bytes = access_bytes(inst);
  const uint64_t first = address_[static_cast<size_t>(std::countr_zero(active))];
  uint64_t low = first, high = first;
  for (LaneMask rest = active & (active - 1); rest != 0; rest &= rest - 1) {
    const uint64_t a = address_[static_cast<size_t>(std::countr_zero(rest))];
    low = std::min(low, a);
    high = std::max(high, a);
  }
  if (low >= hint.begin && high + bytes <= hint.end && high + bytes > high) {
    return &hint;
  }
  const memory::Allocation* allocation = grid_->services_.memory->find(first);
  if (allocation == nullptr) {
    return nullptr;
  }
  hint = {allocation->base, allocation->end(), allocation->view, allocation->kind == memory::Kind::managed};
  return low >= hint.begin && high + bytes <= hint.end && high + bytes > high ? &hint : nullptr;
}

void WarpImpl::touch_managed(const ir::Inst& inst, LaneMask active, Effects* effects) {
  memory::ManagedPages* pages = grid_->services_.managed;
  if (pages == nullptr) {
    return;
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const uint64_t a = address_[static_cast<size_t>(std::countr_zero(rest))];
    if (pages->on_device(a)) {
      continue;
    }
    ++grid_->counters_.managed_faults;
    if (effects != nullptr && effects->fault_count < 32) {
      effects->faults[static_cast<size_t>(effects->fault_count++)] = a / memory::kLeafBytes * memory::kLeafBytes;
    }
    pages->device_fault(a, is_write(inst));
  }
}

void WarpImpl::global_access(const ir::Inst& inst, LaneMask active, Effects* effects) {
  if (!aligned(inst, active, isa::Space::global)) {
    return;
  }
  std::array<const std::byte*, 32> place;
  const RegionHint* region = region_for(inst, active);
  if (region != nullptr) {
    if (region->managed) {
      touch_managed(inst, active, effects);
    }
    const std::byte* const view = region->view;
    const uint64_t base = region->begin;
    if (single_lane(active)) {
      const auto lane = static_cast<size_t>(std::countr_zero(active));
      place[lane] = view + (address_[lane] - base);
    } else {
      for (size_t lane = 0; lane < 32; ++lane) {
        place[lane] = view + (address_[lane] - base);
      }
    }
  } else {
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const uint64_t a = address_[static_cast<size_t>(lane)];
      const memory::Allocation* allocation = grid_->services_.memory->find(a);
      if (allocation == nullptr || !allocation->contains(a, access_bytes(inst))) {
        return fail(TrapKind::illegal_address,
                    fmt::format("{}-byte {} out of bounds", access_bytes(inst), is_write(inst) ? "write" : "read"),
                    lane, a);
      }
      if (allocation->kind == memory::Kind::managed) {
        touch_managed(inst, 1u << lane, effects);
      }
      place[static_cast<size_t>(lane)] = allocation->view + (a - allocation->base);
    }
  }
  if (inst.mods.space == isa::Space::constant) {
    if (effects != nullptr) {
      effects->lat = isa::Lat::ld_const;
    }
  } else {
    count_global(inst, active, effects, isa::Space::global);
  }
  transfer(inst, active, place, isa::Space::global);
}

void WarpImpl::count_global(const ir::Inst& inst, LaneMask active, Effects* effects, isa::Space space) {
  const uint32_t bytes = access_bytes(inst);
  Counters& all = grid_->counters_;
  SpaceCounters* counters = nullptr;
  switch (inst.mem) {
    case isa::Mem::st: counters = space == isa::Space::local ? &all.local_st : &all.global_st; break;
    case isa::Mem::atom: counters = &all.global_atom; break;
    case isa::Mem::red: counters = &all.global_red; break;
    case isa::Mem::ld:
    case isa::Mem::none:
    case isa::Mem::prefetch:
    case isa::Mem::cvta_to:
    case isa::Mem::cvta_from:
    case isa::Mem::isspacep:
    case isa::Mem::fence: counters = space == isa::Space::local ? &all.local_ld : &all.global_ld; break;
  }
  SectorCount count;
  Access* access = nullptr;
  if (effects != nullptr) {
    describe_access(inst, active, space, address_, *effects);
    access = &effects->access;
  }
  if (access == nullptr && single_lane(active)) {
    count = {1, 1, bytes};
  } else {
    count = count_sectors(address_.data(), active, bytes, access);
  }
  counters->requests += 1;
  counters->sectors += static_cast<uint64_t>(count.sectors);
  counters->lines += static_cast<uint64_t>(count.lines);
  counters->bytes += count.bytes;
}

void WarpImpl::shared_access(const ir::Inst& inst, LaneMask active, Effects* effects) {
  if (!aligned(inst, active, isa::Space::shared)) {
    return;
  }
  const uint32_t bytes = access_bytes(inst);
  const uint64_t size = block_->shared_.size();
  std::array<const std::byte*, 32> place;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t a = address_[static_cast<size_t>(lane)];
    if (a + bytes > size || a + bytes < a) {
      return fail(TrapKind::shared_out_of_bounds,
                  fmt::format("{}-byte {} at shared offset {}: the block has {} bytes of shared memory", bytes,
                              is_write(inst) ? "write" : "read", a, size),
                  lane);
    }
    place[static_cast<size_t>(lane)] = block_->shared_.data() + a;
  }
  const BankCount count = count_banks(address_.data(), active, bytes);
  Counters& all = grid_->counters_;
  SharedCounters& counters = inst.mem == isa::Mem::ld   ? all.shared_ld
                             : inst.mem == isa::Mem::st ? all.shared_st
                                                        : all.shared_atom;
  counters.requests += 1;
  counters.wavefronts += static_cast<uint64_t>(count.wavefronts);
  counters.ideal_wavefronts += static_cast<uint64_t>(count.ideal);
  if (effects != nullptr) {
    describe_access(inst, active, isa::Space::shared, address_, *effects);
    effects->access.wavefronts = count.wavefronts;
    effects->access.ideal_wavefronts = count.ideal;
  }
  transfer(inst, active, place, isa::Space::shared);
}

// Local memory is per thread; in the machine, word w of 32 lanes lies in one 128-byte line.
void WarpImpl::local_access(const ir::Inst& inst, LaneMask active, Effects* effects) {
  if (!aligned(inst, active, isa::Space::local)) {
    return;
  }
  const uint32_t bytes = access_bytes(inst);
  std::array<const std::byte*, 32> place;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t a = address_[static_cast<size_t>(lane)];
    if (a + bytes > grid_->local_bytes_ || a + bytes < a) {
      return fail(TrapKind::local_out_of_bounds,
                  fmt::format("{}-byte {} at local offset {}: the thread has {} bytes of local memory", bytes,
                              is_write(inst) ? "write" : "read", a, grid_->local_bytes_),
                  lane);
    }
    place[static_cast<size_t>(lane)] = local_memory(lane) + a;
    address_[static_cast<size_t>(lane)] = a / bytes * (bytes * isa::kWarpSize) + static_cast<uint64_t>(lane) * bytes;
  }
  count_global(inst, active, effects, isa::Space::local);
  transfer(inst, active, place, isa::Space::local);
}

void WarpImpl::param_access(const ir::Inst& inst, LaneMask active) {
  std::array<const std::byte*, 32> place;
  const std::span<const std::byte> params = grid_->launch_.params;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t a = address_[static_cast<size_t>(lane)];
    if (inst.mem != isa::Mem::ld || a + access_bytes(inst) > params.size() || a + access_bytes(inst) < a) {
      return fail(TrapKind::illegal_address, "access outside the kernel's parameters", lane, a);
    }
    place[static_cast<size_t>(lane)] = params.data() + a;
  }
  transfer(inst, active, place, isa::Space::param);
}

namespace {

// Extends `bytes` of memory to a register container.
uint64_t load_extended(const std::byte* from, uint32_t bytes, bool sign) {
  uint64_t raw = 0;
  std::memcpy(&raw, from, bytes);
  if (sign && bytes < 8) {
    const uint32_t shift = 64 - bytes * 8;
    raw = static_cast<uint64_t>(static_cast<int64_t>(raw << shift) >> shift);
  }
  return raw;
}

}  // namespace

void WarpImpl::transfer_one(const ir::Inst& inst, int lane, const std::byte* place) {
  std::byte* regs = groups_[static_cast<size_t>(current_)].frame->regs;
  const uint32_t bytes = inst.elem_bytes;
  for (size_t i = 0; i < inst.mods.vec; ++i) {
    const std::byte* memory = place + i * bytes;
    if (inst.mem == isa::Mem::ld) {
      if (bytes == inst.dst_bytes) {
        std::memcpy(regs + inst.dst[i] + static_cast<uint32_t>(lane) * bytes, memory, bytes);
        continue;
      }
      const uint64_t v = load_extended(memory, bytes, isa::is_signed(inst.type));
      std::memcpy(regs + inst.dst[i] + lane * inst.dst_bytes, &v, inst.dst_bytes);
    } else {
      const isa::Slot slot = inst.src[i];
      const std::byte* from = (slot & isa::kConstBit) != 0 ? consts_ + (slot & ~isa::kConstBit) : regs + slot;
      std::memcpy(const_cast<std::byte*>(memory), from + lane * inst.src_bytes, bytes);
    }
  }
}

void WarpImpl::transfer(const ir::Inst& inst, LaneMask active, const std::array<const std::byte*, 32>& place,
                        isa::Space space) {
  if (inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red) {
    return atomic(inst, active, place, space);
  }
  const uint32_t bytes = inst.elem_bytes;
  const bool plain = inst.mods.vec == 1 && bytes == (inst.mem == isa::Mem::ld ? inst.dst_bytes : inst.src_bytes);
  if (plain && active == isa::kFullMask && (bytes == 4 || bytes == 8)) {
    bool consecutive = true;
    for (size_t lane = 1; lane < 32; ++lane) {
      consecutive &= place[lane] == place[0] + lane * bytes;
    }
    std::byte* regs = groups_[static_cast<size_t>(current_)].frame->regs;
    if (consecutive && inst.mem == isa::Mem::ld) {
      std::memcpy(regs + inst.dst[0], place[0], size_t{32} * bytes);
      return;
    }
    if (consecutive) {
      const isa::Slot slot = inst.src[0];
      const std::byte* from = (slot & isa::kConstBit) != 0 ? consts_ + (slot & ~isa::kConstBit) : regs + slot;
      std::memcpy(const_cast<std::byte*>(place[0]), from, size_t{32} * bytes);
      return;
    }
    if (inst.mem == isa::Mem::ld && bytes == 4) {
      auto* out = reinterpret_cast<uint32_t*>(regs + inst.dst[0]);
      for (size_t lane = 0; lane < 32; ++lane) {
        std::memcpy(&out[lane], place[lane], 4);
      }
      return;
    }
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    transfer_one(inst, lane, place[static_cast<size_t>(lane)]);
  }
}

// Lanes in ascending order: a legal order, the same every time. A float add that has no third operand is told by it
// whether its space flushes subnormals: global memory does, shared does not (PTX ISA 9.0, 9.7.13.15 atom).
void WarpImpl::atomic(const ir::Inst& inst, LaneMask active, const std::array<const std::byte*, 32>& place,
                      isa::Space space) {
  const uint32_t bytes = inst.elem_bytes;
  const uint64_t flush = space == isa::Space::global ? 1 : 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint64_t old = 0;
    std::byte* memory = const_cast<std::byte*>(place[static_cast<size_t>(lane)]);
    std::memcpy(&old, memory, bytes);
    const uint64_t b = inst.src[0] != isa::kNoSlot ? value(inst.src[0], lane, inst.src_bytes) : 0;
    const uint64_t c = inst.src[1] != isa::kNoSlot ? value(inst.src[1], lane, inst.src_bytes) : flush;
    const uint64_t now = inst.variant->rmw(old, b, c);
    std::memcpy(memory, &now, bytes);
    if (inst.mem == isa::Mem::atom) {
      set_value(inst.dst[0], lane, inst.dst_bytes, old);
    }
  }
}

// cvta adds or removes the window base; isspacep asks for the window.
void WarpImpl::convert_address(const ir::Inst& inst, LaneMask active) {
  const isa::Space space = inst.mods.space;
  const uint64_t window = space == isa::Space::shared  ? isa::kSharedWindow
                          : space == isa::Space::local ? isa::kLocalWindow
                                                       : 0;
  LaneMask inside = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t a = value(inst.src[0], lane, inst.src_bytes) + static_cast<uint64_t>(inst.offset);
    if (inst.mem == isa::Mem::isspacep) {
      const bool shared = a >= isa::kSharedWindow && a < isa::kSharedWindow + isa::kSharedWindowSize;
      const bool local = a >= isa::kLocalWindow && a < isa::kLocalWindow + isa::kLocalWindowSize;
      const memory::Allocation* allocation = space == isa::Space::constant ? grid_->services_.memory->find(a) : nullptr;
      const bool yes = space == isa::Space::shared  ? shared
                       : space == isa::Space::local ? local
                       : space == isa::Space::constant
                           ? allocation != nullptr && allocation->kind == memory::Kind::module
                       : space == isa::Space::param ? false
                                                    : !shared && !local;
      inside |= yes ? 1u << lane : 0u;
    } else {
      set_value(inst.dst[0], lane, inst.dst_bytes, inst.mem == isa::Mem::cvta_to ? a - window : a + window);
    }
  }
  if (inst.mem == isa::Mem::isspacep) {
    set_predicate(inst.dst[0], active, inside);
  }
}

}  // namespace hpml::sim::exec
