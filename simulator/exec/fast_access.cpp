// The common accesses on a short way: plain or atomic, to one allocation met before or to the block's own shared
// memory, when neither a timing model nor a tool watches. One pass over the addresses (address_pass.hpp) serves the
// checks, the counters and the move; what does not fit goes the general way (memory_ops.cpp), which gives the same
// result.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/address_pass.hpp"
#include "simulator/exec/detail/count_access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lane_move.hpp"
#include "simulator/exec/detail/row_access.hpp"

namespace hpml::sim::exec {

namespace {

bool is_atomic(const ir::Inst& inst) { return inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red; }

// Elements that the templates of lane_move.hpp know.
bool known_sizes(const ir::Inst& inst) {
  const uint32_t container = inst.mem == isa::Mem::ld ? inst.dst_bytes : inst.src_bytes;
  return inst.elem_bytes <= 8 && container >= inst.elem_bytes && container >= 2 && container <= 8;
}

// Segments of `lanes` lanes (a power of two) of which one at least is active.
int segments(LaneMask active, uint32_t lanes) {
  int count = 0;
  for (uint32_t begin = 0; begin < isa::kWarpSize; begin += lanes) {
    const LaneMask segment = (lanes >= isa::kWarpSize ? isa::kFullMask : (1u << lanes) - 1) << begin;
    count += (active & segment) != 0 ? 1 : 0;
  }
  return count;
}

// Lane i's `bytes` (a power of two, at most 32) lie i * bytes from the begin of a line, or of a part of one that holds
// all lanes.
SectorCount count_side_by_side(LaneMask active, uint32_t bytes) {
  if (active == isa::kFullMask) {
    return {.sectors = static_cast<int>(bytes),
            .lines = static_cast<int>((bytes * isa::kWarpSize + 127) / 128),
            .bytes = bytes * isa::kWarpSize};
  }
  return {.sectors = segments(active, 32 / bytes),
          .lines = segments(active, std::min<uint32_t>(128 / bytes, isa::kWarpSize)),
          .bytes = bytes * lane_count(active)};
}

}  // namespace

Route WarpMemory::route_of(const ir::Inst& inst) const {
  const bool updates = is_atomic(inst);
  if ((inst.mem != isa::Mem::ld && inst.mem != isa::Mem::st && !updates) || inst.addr == isa::kNoSlot ||
      !known_sizes(inst) || grid_->services_.observer != nullptr) {
    return Route::general;
  }
  if (updates && !updates_words(inst)) {
    return Route::general;
  }
  switch (inst.mods.space) {
    case isa::Space::generic:
    case isa::Space::global: return inst.addr_bytes == 8 ? Route::global : Route::general;
    case isa::Space::shared: return Route::shared;
    case isa::Space::local: return updates ? Route::general : Route::local;
    case isa::Space::constant:
    case isa::Space::param: return Route::general;
  }
  return Route::general;
}

// False: not one of these accesses; nothing has happened.
bool WarpMemory::fast_access(const ir::Inst& inst, LaneMask active, MemorySite& site) {
  if (site.route == Route::unknown) {
    site.route = route_of(inst);
  }
  if (site.route == Route::general || (inst.mem != isa::Mem::ld && spin_.watches())) {
    return false;
  }
  std::byte* const regs = groups_[static_cast<size_t>(current_)].frame->regs;
  switch (site.route) {
    case Route::global: return fast_global(inst, active, site, regs);
    case Route::shared: return fast_shared(inst, active, site, regs);
    case Route::local: return fast_local(inst, active, site, regs);
    case Route::unknown:
    case Route::general: break;
  }
  return false;
}

// Where the instruction's addresses may go, and what its accesses are counted as.
struct WarpMemory::FastPlace {
  uintptr_t origin = 0;         // of address 0
  uint64_t begin = 0, end = 0;  // addresses that may be used
  uint64_t third = 0;           // of atomics without a third operand (WarpMemory::atomic)
  bool fits(uint64_t low, uint64_t high, uint32_t bytes) const {
    return low >= begin && low <= high && high < end && high + bytes <= end;
  }
};

// What an access counts: sectors, lines and bytes in global memory, passes and the least passes in shared memory.
struct WarpMemory::FastCount {
  int a = 1, b = 1;
  uint32_t bytes = 0;
  bool of_shape = false;          // the site's shape is that of this access
  std::optional<int64_t> stride;  // from the first active lane to its active neighbour
};

template <class T>
bool WarpMemory::fast_lanes(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs,
                            const FastPlace& place, FastCount& count) {
  const auto* const base = reinterpret_cast<const T*>(regs + inst.addr);
  const auto offset = static_cast<T>(inst.offset);
  const uint32_t bytes = access_bytes(inst);
  const auto lane = static_cast<size_t>(std::countr_zero(active));
  const uint64_t first = static_cast<T>(base[lane] + offset);
  uint64_t* const address = address_.data();
  count.bytes = bytes;
  if ((first & (bytes - 1)) != 0 || !place.fits(first, first, bytes)) {
    return false;
  }
  if (lane < 31 && (active >> lane & 2u) != 0) {  // now: a load may write the register of its own address
    count.stride = static_cast<int64_t>(uint64_t{static_cast<T>(base[lane + 1] + offset)} - first);
  }
  if (single_lane(active)) {
    address[lane] = first;
    is_atomic(inst) ? update(inst, active, regs, place.origin, address, place.third)
                    : move_one(inst, lane, regs, reinterpret_cast<std::byte*>(place.origin + first));
    return true;
  }
  AccessShape& shape = learned_shape(site);
  if (const bool looks = shape.worth_a_look(); looks && shape.matches(base, active)) {
    shape.matched();
    count.of_shape = true;
    if ((shape.bits() & (bytes - 1)) != 0 || !place.fits(first + shape.low(), first + shape.high(), bytes)) {
      return false;
    }
    move_shape(inst, active, shape, regs, place.origin + first, place.third);
    count_shape(inst, active, site, shape, first, count);
    take_rows(inst, site);
  } else {
    const AddressPass pass = pass_addresses(base, offset, active, bytes, address);
    address_.measured(pass.range(), active);
    if ((pass.bits & (bytes - 1)) != 0 || !place.fits(pass.low, pass.high, bytes)) {
      return false;
    }
    is_atomic(inst) ? update(inst, active, regs, place.origin, address, place.third)
                    : move(inst, active, pass, regs, place.origin);
    count_pass(inst, active, site, pass, count);
    shape.missed();
    if (looks) {
      shape.learn(address, active, bytes);
      site.row = nullptr;  // until the new shape is found to be one of rows
    }
  }
  return true;
}

AccessShape& WarpMemory::learned_shape(MemorySite& site) {
  if (site.shape == nullptr) {
    site.shape = &tally_->shapes.emplace_back();
  }
  return *site.shape;
}

// The next accesses may go the shortest way.
void WarpMemory::take_rows(const ir::Inst& inst, MemorySite& site) {
  const AccessShape& shape = *site.shape;
  if (site.row != nullptr || site.counters == nullptr || shape.segment() == 0 ||
      (inst.mem == isa::Mem::st && shape.any_uniform())) {
    return;
  }
  site.row = row_function(inst, site.route);
  if (site.route == Route::shared) {
    site.total.shared = &counters_of_shared(tally_->counters, inst.mem);
  } else {
    site.total.space = &counters_of_space(tally_->counters, inst.mem, false);
  }
}

void WarpMemory::count_pass(const ir::Inst& inst, LaneMask active, const MemorySite& site, const AddressPass& pass,
                            FastCount& out) const {
  const uint32_t bytes = access_bytes(inst);
  const uint64_t* const address = address_.values().data();
  if (site.route == Route::shared) {
    const BankCount count = count_banks(address, active, bytes, pass.range());
    out.a = count.wavefronts;
    out.b = count.ideal;
    return;
  }
  const SectorCount count = count_sectors(pass, address, active, bytes);
  out.a = count.sectors;
  out.b = count.lines;
  out.bytes = count.bytes;
}

// The count of the shape where its first address is `first`: remembered, or worked out once. Leaves the addresses of
// bank conflicts behind, for their example.
void WarpMemory::count_shape(const ir::Inst& inst, LaneMask active, const MemorySite& site, AccessShape& shape,
                             uint64_t first, FastCount& out) {
  AccessShape::Parts& parts = shape.parts(first);
  const bool remembers = access_bytes(inst) >= AccessShape::kGrain;
  const bool known = remembers && parts.a != 0;
  if (known) {
    out.a = parts.a;
    out.b = parts.b;
    out.bytes = shape.distinct_bytes;
    if (site.route != Route::shared || parts.a <= parts.b) {
      return;
    }
  }
  uint64_t* const address = address_.data();
  for (size_t lane = 0; lane < isa::kWarpSize; ++lane) {
    address[lane] = first + shape.distance()[lane];
  }
  const AddressPass pass{
      .low = first + shape.low(), .high = first + shape.high(), .bits = first | shape.bits(), .off_row = 1};
  address_.measured(pass.range(), active);
  if (!known) {
    count_pass(inst, active, site, pass, out);
  }
  if (remembers) {
    parts = {static_cast<uint8_t>(out.a), static_cast<uint8_t>(out.b)};
    shape.distinct_bytes = out.bytes;
  }
}

bool WarpMemory::fast_global(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs) {
  if (site.managed || site.end == 0) {
    return false;
  }
  const FastPlace place{
      .origin = reinterpret_cast<uintptr_t>(site.view) - site.begin, .begin = site.begin, .end = site.end, .third = 1};
  FastCount count;
  if (!fast_lanes<uint64_t>(inst, active, site, regs, place, count)) {
    return false;
  }
  AccessCounters& own = counters_of(site, isa::Space::global);
  count_access(SectorCount{.sectors = count.a, .lines = count.b, .bytes = count.bytes},
               ideal_sectors(active, access_bytes(inst)), counters_of_space(tally_->counters, inst.mem, false), own);
  if (count.stride) {
    own.stride.add(*count.stride);
  }
  return true;
}

bool WarpMemory::fast_shared(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs) {
  const FastPlace place{.origin = reinterpret_cast<uintptr_t>(block_->shared_.data()),
                        .begin = 0,
                        .end = block_->shared_.size(),
                        .third = 0};
  FastCount count;
  if (!(inst.addr_bytes == 8 ? fast_lanes<uint64_t>(inst, active, site, regs, place, count)
                             : fast_lanes<uint32_t>(inst, active, site, regs, place, count))) {
    return false;
  }
  AccessCounters& own = counters_of(site, isa::Space::shared);
  count_access(BankCount{.wavefronts = count.a, .ideal = count.b}, counters_of_shared(tally_->counters, inst.mem), own);
  if (count.stride) {
    own.stride.add(*count.stride);
  }
  if (count.a > count.b) {
    add_conflict(own, active, access_bytes(inst));
    if (count.of_shape && active == isa::kFullMask) {
      site.shape->counted_conflict = address_[0];
    }
  }
  return true;
}

bool WarpMemory::fast_local(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs) {
  const uint32_t bytes = access_bytes(inst);
  uint64_t* const address = address_.data();
  const AddressPass pass = inst.addr_bytes == 8
                               ? pass_addresses(reinterpret_cast<const uint64_t*>(regs + inst.addr),
                                                static_cast<uint64_t>(inst.offset), active, bytes, address)
                               : pass_addresses(reinterpret_cast<const uint32_t*>(regs + inst.addr),
                                                static_cast<uint32_t>(inst.offset), active, bytes, address);
  address_.measured(pass.range(), active);
  const uint64_t size = grid_->local_bytes_;
  if ((pass.bits & (bytes - 1)) != 0 || pass.high >= size || pass.high + bytes > size) {
    return false;
  }
  AccessCounters& own = counters_of(site, isa::Space::local);
  SpaceCounters& total = counters_of_space(tally_->counters, inst.mem, true);
  if (pass.uniform()) {  // in the machine, the elements of the lanes lie side by side
    move_lanes(inst, active, regs, reinterpret_cast<uintptr_t>(local_memory(0)) + pass.low,
               grid_->local_distance_.data());
    count_access(count_side_by_side(active, bytes), ideal_sectors(active, bytes), total, own);
    if ((active & active >> 1 & (active & -active)) != 0) {
      own.stride.add(bytes);
    }
    return true;
  }
  alignas(64) std::array<uint64_t, isa::kWarpSize> place;
  const AddressRange range = spread_local(address, active, size, bytes, place.data());
  address_.measured(range, active);
  move_lanes(inst, active, regs, reinterpret_cast<uintptr_t>(local_memory(0)), place.data());
  count_access(count_sectors(address, active, bytes, range), ideal_sectors(active, bytes), total, own);
  count_stride(own, active);
  return true;
}

AccessCounters& WarpMemory::counters_of(MemorySite& site, isa::Space space) {
  if (site.counters == nullptr) {
    const Group& group = groups_[static_cast<size_t>(current_)];
    const int function = group.frame->function_index;
    const MemorySite* const first = tally_->memory[static_cast<size_t>(function)].data();
    site.counters = &tally_->site(function, static_cast<Pc>(&site - first))[space];
  }
  return *site.counters;
}

void WarpMemory::move_one(const ir::Inst& inst, size_t lane, std::byte* regs, std::byte* place) {
  const bool loads = inst.mem == isa::Mem::ld;
  const bool sign = isa::is_signed(inst.type);
  with_sizes(
      inst.elem_bytes, loads ? inst.dst_bytes : inst.src_bytes,
      [&]<uint32_t kBytes, uint32_t kContainer>() {
        for (size_t i = 0; i < inst.mods.vec; ++i) {
          if (loads) {
            load_lane<kBytes, kContainer>(regs + inst.dst[i] + lane * kContainer, place + i * kBytes, sign);
          } else {
            std::memcpy(place + i * kBytes, lane_values(regs, consts_, inst.src[i]) + lane * kContainer, kBytes);
          }
        }
      },
      [] {});
}

void WarpMemory::update(const ir::Inst& inst, LaneMask active, std::byte* regs, uintptr_t origin,
                        const uint64_t* address, uint64_t third) {
  inst.variant->update({.origin = origin,
                        .address = address,
                        .b = lane_values(regs, consts_, inst.src[0]),
                        .c = inst.src[1] != isa::kNoSlot ? lane_values(regs, consts_, inst.src[1]) : nullptr,
                        .third = third,
                        .old = inst.mem == isa::Mem::atom ? regs + inst.dst[0] : nullptr},
                       active);
}

// A load or store at origin + address of each lane, as the pass has written the addresses.
void WarpMemory::move(const ir::Inst& inst, LaneMask active, const AddressPass& pass, std::byte* regs,
                      uintptr_t origin) {
  const bool loads = inst.mem == isa::Mem::ld;
  const uint32_t bytes = inst.elem_bytes, container = loads ? inst.dst_bytes : inst.src_bytes;
  if (active == isa::kFullMask && pass.consecutive() && inst.mods.vec == 1 && bytes == container) {
    auto* const place = reinterpret_cast<std::byte*>(origin + pass.low);
    loads ? copy_row(regs + inst.dst[0], place, bytes)
          : copy_row(place, lane_values(regs, consts_, inst.src[0]), bytes);
    return;
  }
  move_lanes(inst, active, regs, origin, address_.values().data());
}

// The same for addresses of a known shape, the first of which is at `at`; or an atomic.
void WarpMemory::move_shape(const ir::Inst& inst, LaneMask active, const AccessShape& shape, std::byte* regs,
                            uintptr_t at, uint64_t third) {
  if (is_atomic(inst)) {
    return update(inst, active, regs, at, shape.distance().data(), third);
  }
  const bool loads = inst.mem == isa::Mem::ld;
  const uint32_t bytes = inst.elem_bytes, container = loads ? inst.dst_bytes : inst.src_bytes;
  const bool rows = shape.segment() != 0 && inst.mods.vec == 1 && bytes == container && (bytes == 4 || bytes == 8) &&
                    (loads || !shape.any_uniform());
  if (!rows) {
    return move_lanes(inst, active, regs, at, shape.distance().data());
  }
  std::byte* const lanes = loads ? regs + inst.dst[0] : const_cast<std::byte*>(lane_values(regs, consts_, inst.src[0]));
  move_rows(shape, {.lanes = lanes, .at = at, .vec = 1, .loads = loads}, bytes);
}

void WarpMemory::move_lanes(const ir::Inst& inst, LaneMask active, std::byte* regs, uintptr_t origin,
                            const uint64_t* address) {
  const bool loads = inst.mem == isa::Mem::ld, sign = isa::is_signed(inst.type);
  with_sizes(
      inst.elem_bytes, loads ? inst.dst_bytes : inst.src_bytes,
      [&]<uint32_t kBytes, uint32_t kContainer>() {
        for (size_t i = 0; i < inst.mods.vec; ++i) {
          const uintptr_t element = origin + i * kBytes;
          if (loads) {
            std::byte* const out = regs + inst.dst[i];
            each_lane(active, [&](size_t lane) {
              load_lane<kBytes, kContainer>(out + lane * kContainer,
                                            reinterpret_cast<const std::byte*>(element + address[lane]), sign);
            });
          } else {
            const std::byte* const from = lane_values(regs, consts_, inst.src[i]);
            each_lane(active, [&](size_t lane) {
              std::memcpy(reinterpret_cast<std::byte*>(element + address[lane]), from + lane * kContainer, kBytes);
            });
          }
        }
      },
      [] {});
}

}  // namespace hpml::sim::exec
