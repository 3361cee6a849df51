// The memory spaces' own rules: where an access may go, what it costs, which bytes it means.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/access_counts.hpp"
#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/count_access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

namespace {

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

}  // namespace

ir::Inst plain_access(const ir::Inst& inst, isa::Mem mem, uint32_t bytes, uint8_t elements) {
  ir::Inst out;
  out.mem = mem;
  out.mods.space = inst.mods.space;
  out.mods.of_cluster = inst.mods.of_cluster;
  out.mods.cache = inst.mods.cache;
  out.mods.vec = elements;
  out.elem_bytes = static_cast<uint8_t>(bytes);
  return out;
}

void describe_access(const ir::Inst& inst, LaneMask active, isa::Space space, const std::array<uint64_t, 32>& address,
                     Effects& effects) {
  effects.lat = class_of(inst, space);
  effects.has_access = true;
  Access& access = effects.access;
  access.space = space;
  // ... and somebody waits for what it returns.
  access.is_load = inst.mem == isa::Mem::ld || (inst.mem == isa::Mem::atom && inst.writes[0] != ir::kNoReg);
  access.is_store = inst.mem == isa::Mem::st;
  access.is_atomic = inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red;
  access.bytes = static_cast<uint8_t>(access_bytes(inst));
  access.cache = inst.mods.cache;
  access.active = active;
  access.remote = 0;
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

namespace {

// Constant memory answers one address at a time, for every lane that wants it (CUDA programming guide, constant
// memory).
void count_constant(Access& access) {
  access.ideal_wavefronts = 1;
  LaneMask rest = access.active;
  while (rest != 0) {
    const uint64_t a = access.address[static_cast<size_t>(std::countr_zero(rest))];
    LaneMask same = 0;
    for (LaneMask lanes = rest; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      same |= access.address[static_cast<size_t>(lane)] == a ? 1u << lane : 0;
    }
    rest &= ~same;
    ++access.wavefronts;
    const auto end = access.lines.begin() + access.line_count;
    const uint64_t line = a / kConstantLineBytes;
    if (std::none_of(access.lines.begin(), end, [line](const Access::Line& known) { return known.line == line; })) {
      access.lines[static_cast<size_t>(access.line_count++)] = {line, 0};
    }
  }
}

}  // namespace

bool WarpMemory::aligned(const ir::Inst& inst, LaneMask active, isa::Space space) {
  const uint64_t mask = access_bytes(inst) - 1;
  if ((address_.range(active).bits & mask) == 0) {
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

// Managed memory of this GPU; that of another one stays where it is.
bool WarpMemory::moves(const memory::Allocation& allocation) const {
  const uint64_t base = grid_->services_.memory->managed_base();
  return allocation.kind == memory::Kind::managed && allocation.base - base < memory::kRegionBytes;
}

// What an access of the instruction touches there; null: nothing that is allocated.
const memory::Allocation* WarpMemory::allocation_at(uint64_t address, const ir::Inst& inst) {
  const memory::Allocation* allocation = grid_->services_.memory->find(address);
  if (allocation != nullptr) {
    tally_->touched.add(*allocation, inst.mem != isa::Mem::st, is_write(inst));
  }
  return allocation;
}

// The allocation all active lanes fall into, or null when they do not share one (or one is out of bounds).
const MemorySite* WarpMemory::region_for(const ir::Inst& inst, LaneMask active) {
  const Frame& frame = *groups_[static_cast<size_t>(current_)].frame;
  MemorySite& hint =
      grid_->services_.observer != nullptr
          ? tally_->observed_region
          : tally_->memory[static_cast<size_t>(frame.function_index)][groups_[static_cast<size_t>(current_)].pc];
  const uint32_t bytes = access_bytes(inst);
  const uint64_t low = address_.range(active).low, high = address_.range(active).high;
  if (low >= hint.begin && high + bytes <= hint.end && high + bytes > high) {
    return &hint;
  }
  const memory::Allocation* allocation = allocation_at(low, inst);
  if (allocation == nullptr) {
    return nullptr;
  }
  hint.set_region(*allocation, moves(*allocation));
  return low >= hint.begin && high + bytes <= hint.end && high + bytes > high ? &hint : nullptr;
}

void WarpMemory::touch_managed(const ir::Inst& inst, LaneMask active, Effects* effects) {
  memory::ManagedPages* pages = grid_->services_.managed;
  if (pages == nullptr) {
    return;
  }
  const bool write = is_write(inst);
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const uint64_t a = address_[static_cast<size_t>(std::countr_zero(rest))];
    if (pages->accessible(a, write)) {
      continue;
    }
    ++tally_->counters.managed_faults;
    if (effects != nullptr && effects->fault_count < 32) {
      effects->faults[static_cast<size_t>(effects->fault_count++)] = a / memory::kLeafBytes * memory::kLeafBytes;
    }
    pages->device_fault(a, write);
  }
}

void WarpMemory::global_access(const ir::Inst& inst, LaneMask active, Effects* effects) {
  Places place;
  if (global_places(inst, active, effects, place)) {
    transfer(inst, active, place, isa::Space::global);
  }
}

// `view` is where `base` is. (An access of one lane may have left the other addresses as they were.)
void WarpMemory::place_at(LaneMask active, const std::byte* view, uint64_t base, Places& place) const {
  if (single_lane(active)) {
    const auto lane = static_cast<size_t>(std::countr_zero(active));
    place[lane] = view + (address_[lane] - base);
    return;
  }
  for (size_t lane = 0; lane < 32; ++lane) {
    place[lane] = view + (address_[lane] - base);
  }
}

bool WarpMemory::global_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place) {
  if (grid_->services_.observer != nullptr && (active = observed(inst, active, isa::Space::global, place)) == 0) {
    return true;
  }
  if (!aligned(inst, active, isa::Space::global)) {
    return false;
  }
  const MemorySite* region = region_for(inst, active);
  if (region != nullptr) {
    if (region->managed) {
      touch_managed(inst, active, effects);
    }
    place_at(active, region->view, region->begin, place);
  } else {
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const uint64_t a = address_[static_cast<size_t>(lane)];
      const memory::Allocation* allocation = allocation_at(a, inst);
      if (allocation == nullptr || !allocation->contains(a, access_bytes(inst))) {
        if ((place[static_cast<size_t>(lane)] = stray_place(inst, lane)) == nullptr) {
          return false;
        }
        continue;
      }
      if (moves(*allocation)) {
        touch_managed(inst, 1u << lane, effects);
      }
      place[static_cast<size_t>(lane)] = allocation->view + (a - allocation->base);
    }
  }
  if (inst.mods.space == isa::Space::constant) {
    if (effects != nullptr) {
      describe_access(inst, active, isa::Space::constant, address_.values(), *effects);
      count_constant(effects->access);
    }
  } else {
    count_global(inst, active, effects, isa::Space::global);
  }
  return true;
}

// The lane's address is outside of every allocation: null, and a trap, unless the launch is as lenient as hardware.
const std::byte* WarpMemory::stray_place(const ir::Inst& inst, int lane) {
  const uint32_t bytes = access_bytes(inst);
  const uint64_t a = address_[static_cast<size_t>(lane)];
  const std::string what = fmt::format("{}-byte {} out of bounds", bytes, is_write(inst) ? "write" : "read");
  const Observer* observer = grid_->services_.observer;
  const bool lenient = grid_->launch_.page_bounds && (observer == nullptr || observer->lenient());
  const std::byte* place = lenient ? grid_->services_.memory->mapped(a, bytes) : nullptr;
  if (place == nullptr) {
    fail(TrapKind::illegal_address, what, lane, a);
  } else if (grid_->wants_stray(*block_)) {
    grid_->note_stray(describe_fault(TrapKind::illegal_address, what, lane, a), *block_);
  }
  return place;
}

void WarpMemory::count_global(const ir::Inst& inst, LaneMask active, Effects* effects, isa::Space space) {
  const uint32_t bytes = access_bytes(inst);
  const uint64_t* const address = address_.values().data();
  const SectorCount count = count_sectors(address, active, bytes, address_.range(active));
  if (effects != nullptr) {
    describe_access(inst, active, space, address_.values(), *effects);
    Access& access = effects->access;
    list_lines(address, active, access);
    if (access.is_load && !access.is_atomic && count.lines > 1) {
      access.wavefronts = count_banks(address, active, bytes, address_.range(active)).wavefronts;
    }
  }
  AccessCounters& own = site(space);
  count_access(count, ideal_sectors(active, bytes),
               counters_of_space(tally_->counters, inst.mem, space == isa::Space::local), own);
  count_stride(own, active);
}

void WarpMemory::shared_access(const ir::Inst& inst, LaneMask active, Effects* effects) {
  Places place;
  if (shared_places(inst, active, effects, place)) {
    transfer(inst, active, place, isa::Space::shared);
  }
}

bool WarpMemory::shared_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place) {
  if (address_.range(active).high > isa::kSharedOffsetMask) {
    return cluster_places(inst, active, effects, place);
  }
  if (grid_->services_.observer != nullptr && (active = observed(inst, active, isa::Space::shared, place)) == 0) {
    return true;
  }
  if (!aligned(inst, active, isa::Space::shared)) {
    return false;
  }
  const uint64_t size = block_->shared_.size();
  if (size >= access_bytes(inst) && address_.range(active).high <= size - access_bytes(inst)) {
    place_at(active, block_->shared_.data(), 0, place);
  } else if (!places_in(*block_, inst, active, place)) {
    return false;
  }
  count_shared(inst, active, effects);
  return true;
}

// Offsets in the shared memory of `block`.
bool WarpMemory::places_in(BlockImpl& block, const ir::Inst& inst, LaneMask active, Places& place) {
  const uint32_t bytes = access_bytes(inst);
  const uint64_t size = block.shared_.size();
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t a = address_[static_cast<size_t>(lane)];
    if (a + bytes > size || a + bytes < a) {
      fail(TrapKind::shared_out_of_bounds,
           fmt::format("{}-byte {} at shared offset {}: the block has {} bytes of shared memory", bytes,
                       is_write(inst) ? "write" : "read", a, size),
           lane);
      return false;
    }
    place[static_cast<size_t>(lane)] = block.shared_.data() + a;
  }
  return true;
}

void WarpMemory::count_shared(const ir::Inst& inst, LaneMask active, Effects* effects) {
  const BankCount count = count_banks(address_.values().data(), active, access_bytes(inst), address_.range(active));
  AccessCounters& own = site(isa::Space::shared);
  count_access(count, counters_of_shared(tally_->counters, inst.mem), own);
  count_stride(own, active);
  if (count.wavefronts > count.ideal) {
    add_conflict(own, active, access_bytes(inst));
  }
  if (effects != nullptr) {
    describe_access(inst, active, isa::Space::shared, address_.values(), *effects);
    effects->access.wavefronts = count.wavefronts;
    effects->access.ideal_wavefronts = count.ideal;
  }
}

// Local memory is per thread; in the machine, word w of 32 lanes lies in one 128-byte line.
void WarpMemory::local_access(const ir::Inst& inst, LaneMask active, Effects* effects) {
  Places place;
  if (local_places(inst, active, effects, place)) {
    transfer(inst, active, place, isa::Space::local);
  }
}

bool WarpMemory::local_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place) {
  if (grid_->services_.observer != nullptr && (active = observed(inst, active, isa::Space::local, place)) == 0) {
    return true;
  }
  if (!aligned(inst, active, isa::Space::local)) {
    return false;
  }
  const uint32_t bytes = access_bytes(inst);
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t a = address_[static_cast<size_t>(lane)];
    if (a + bytes > grid_->local_bytes_ || a + bytes < a) {
      fail(TrapKind::local_out_of_bounds,
           fmt::format("{}-byte {} at local offset {}: the thread has {} bytes of local memory", bytes,
                       is_write(inst) ? "write" : "read", a, grid_->local_bytes_),
           lane);
      return false;
    }
    place[static_cast<size_t>(lane)] = local_memory(lane) + a;
    address_.set(static_cast<size_t>(lane), a / bytes * (bytes * isa::kWarpSize) + static_cast<uint64_t>(lane) * bytes);
  }
  count_global(inst, active, effects, isa::Space::local);
  return true;
}

void WarpMemory::param_access(const ir::Inst& inst, LaneMask active) {
  Places place;
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

}  // namespace hpml::sim::exec
