// The common accesses on a short way: plain or atomic, to one allocation met before or to the block's own shared
// memory, when neither a timing model nor a tool watches. One pass over the addresses (address_pass.hpp) serves the
// checks, the counters and the move; what does not fit goes the general way (memory_ops.cpp), which gives the same
// result.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/address_pass.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lane_move.hpp"

namespace hpml::sim::exec {

namespace {

bool is_atomic(const ir::Inst& inst) { return inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red; }

// Elements that the templates of lane_move.hpp know.
bool known_sizes(const ir::Inst& inst) {
  const uint32_t container = inst.mem == isa::Mem::ld ? inst.dst_bytes : inst.src_bytes;
  return inst.elem_bytes <= 8 && container >= inst.elem_bytes && container >= 2 && container <= 8;
}

// 32 values of the container's size, all the same.
template <uint32_t kBytes, uint32_t kContainer>
void broadcast(std::byte* lanes, const std::byte* memory, bool sign) {
  std::array<std::byte, 8> one;
  load_lane<kBytes, kContainer>(one.data(), memory, sign);
  for (size_t lane = 0; lane < isa::kWarpSize; ++lane) {
    std::memcpy(lanes + lane * kContainer, one.data(), kContainer);
  }
}

// One lane after the other, as Warp::atomic() does.
template <uint32_t kBytes>
void update_lanes(const ir::Inst& inst, LaneMask active, std::byte* regs, const std::byte* consts, std::byte* origin,
                  const uint64_t* address, uint64_t third) {
  const isa::RmwFn rmw = inst.variant->rmw;
  const std::byte* const b = lane_values(regs, consts, inst.src[0]);
  const bool has_third = inst.src[1] != isa::kNoSlot;
  const std::byte* const c = has_third ? lane_values(regs, consts, inst.src[1]) : nullptr;
  std::byte* const old_values = inst.mem == isa::Mem::atom ? regs + inst.dst[0] : nullptr;
  each_lane(active, [&](size_t lane) {
    std::byte* const place = origin + address[lane];
    uint64_t old = 0, operand = 0, extra = third;
    std::memcpy(&old, place, kBytes);
    std::memcpy(&operand, b + lane * kBytes, kBytes);
    if (has_third) {
      extra = 0;
      std::memcpy(&extra, c + lane * kBytes, kBytes);
    }
    const uint64_t now = rmw(old, operand, extra);
    std::memcpy(place, &now, kBytes);
    if (old_values != nullptr) {
      std::memcpy(old_values + lane * kBytes, &old, kBytes);
    }
  });
}

}  // namespace

Route WarpImpl::route_of(const ir::Inst& inst) const {
  const bool updates = is_atomic(inst);
  if ((inst.mem != isa::Mem::ld && inst.mem != isa::Mem::st && !updates) || inst.addr == isa::kNoSlot ||
      !known_sizes(inst) || grid_->services_.observer != nullptr) {
    return Route::general;
  }
  if (updates && (inst.mods.vec != 1 || inst.elem_bytes < 4 || inst.src_bytes != inst.elem_bytes ||
                  inst.src[0] == isa::kNoSlot || (inst.mem == isa::Mem::atom && inst.dst_bytes != inst.elem_bytes))) {
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
bool WarpImpl::fast_access(const ir::Inst& inst, LaneMask active, MemorySite& site) {
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

bool WarpImpl::fast_global(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs) {
  const auto* const base = reinterpret_cast<const uint64_t*>(regs + inst.addr);
  const uint32_t bytes = access_bytes(inst);
  const auto offset = static_cast<uint64_t>(inst.offset);
  const auto lane = static_cast<size_t>(std::countr_zero(active));
  const uint64_t first = base[lane] + offset;
  // Most accesses that do not fit lie elsewhere altogether.
  if (first < site.begin || first >= site.end || site.managed) {
    return false;
  }
  std::byte* const origin = const_cast<std::byte*>(site.view) - site.begin;
  SectorCount count{.sectors = 1, .lines = 1, .bytes = bytes};
  const bool one = single_lane(active);
  uint64_t* const address = address_.data();
  if (one) {
    if ((first & (bytes - 1)) != 0 || first + bytes > site.end) {
      return false;
    }
    address[lane] = first;
    is_atomic(inst) ? update(inst, active, regs, origin, 1) : move_one(inst, lane, regs, origin + first);
  } else {
    const AddressPass pass = pass_addresses(base, offset, active, bytes, address);
    address_.measured(pass.range(), active);
    if ((pass.bits & (bytes - 1)) != 0 || pass.low < site.begin || pass.high + bytes > site.end ||
        pass.high + bytes < pass.high) {
      return false;
    }
    is_atomic(inst) ? update(inst, active, regs, origin, 1) : move(inst, active, pass, regs, origin);
    count = count_sectors(pass, address, active, bytes);
  }
  Counters& all = tally_->counters;
  SpaceCounters& counters = inst.mem == isa::Mem::ld     ? all.global_ld
                            : inst.mem == isa::Mem::st   ? all.global_st
                            : inst.mem == isa::Mem::atom ? all.global_atom
                                                         : all.global_red;
  counters.requests += 1;
  counters.sectors += static_cast<uint64_t>(count.sectors);
  counters.lines += static_cast<uint64_t>(count.lines);
  counters.bytes += count.bytes;
  AccessCounters& own = counters_of(site)[isa::Space::global];
  own.requests += 1;
  own.parts += static_cast<uint64_t>(count.sectors);
  own.ideal_parts += (lane_count(active) * bytes + 31) / 32;
  if (!one) {
    count_stride(own, active);
  }
  return true;
}

bool WarpImpl::fast_shared(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs) {
  const uint32_t bytes = access_bytes(inst);
  const uint64_t size = std::min<uint64_t>(block_->shared_.size(), isa::kSharedOffsetMask);
  std::byte* const origin = block_->shared_.data();
  uint64_t* const address = address_.data();
  const auto* const wide = reinterpret_cast<const uint64_t*>(regs + inst.addr);
  const auto* const narrow = reinterpret_cast<const uint32_t*>(regs + inst.addr);
  BankCount count{.wavefronts = 1, .ideal = 1};
  if (single_lane(active)) {
    const auto lane = static_cast<size_t>(std::countr_zero(active));
    const uint64_t first = inst.addr_bytes == 8 ? wide[lane] + static_cast<uint64_t>(inst.offset)
                                                : uint64_t{narrow[lane] + static_cast<uint32_t>(inst.offset)};
    if ((first & (bytes - 1)) != 0 || first >= size || first + bytes > size) {
      return false;
    }
    address[lane] = first;
    is_atomic(inst) ? update(inst, active, regs, origin, 0) : move_one(inst, lane, regs, origin + first);
  } else {
    const AddressPass pass = inst.addr_bytes == 8
                                 ? pass_addresses(wide, static_cast<uint64_t>(inst.offset), active, bytes, address)
                                 : pass_addresses(narrow, static_cast<uint32_t>(inst.offset), active, bytes, address);
    address_.measured(pass.range(), active);
    if ((pass.bits & (bytes - 1)) != 0 || pass.high >= size || pass.high + bytes > size) {
      return false;
    }
    is_atomic(inst) ? update(inst, active, regs, origin, 0) : move(inst, active, pass, regs, origin);
    count = count_banks(address, active, bytes, pass.range());
  }
  Counters& all = tally_->counters;
  SharedCounters& counters = inst.mem == isa::Mem::ld   ? all.shared_ld
                             : inst.mem == isa::Mem::st ? all.shared_st
                                                        : all.shared_atom;
  counters.requests += 1;
  counters.wavefronts += static_cast<uint64_t>(count.wavefronts);
  counters.ideal_wavefronts += static_cast<uint64_t>(count.ideal);
  AccessCounters& own = counters_of(site)[isa::Space::shared];
  own.requests += 1;
  own.parts += static_cast<uint64_t>(count.wavefronts);
  own.ideal_parts += static_cast<uint64_t>(count.ideal);
  count_stride(own, active);
  if (count.wavefronts > count.ideal) {
    add_conflict(own, active, bytes);
  }
  return true;
}

bool WarpImpl::fast_local(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs) {
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
  alignas(64) std::array<uint64_t, isa::kWarpSize> place;
  const AddressRange range = spread_local(address, active, size, bytes, place.data());
  address_.measured(range, active);
  move_lanes(inst, active, regs, local_memory(0), place.data());
  const bool row = active == isa::kFullMask && pass.uniform();
  const SectorCount count = row ? SectorCount{.sectors = static_cast<int>(bytes),
                                              .lines = static_cast<int>((bytes * isa::kWarpSize + 127) / 128),
                                              .bytes = bytes * isa::kWarpSize}
                                : count_sectors(address, active, bytes, range);
  SpaceCounters& counters = inst.mem == isa::Mem::ld ? tally_->counters.local_ld : tally_->counters.local_st;
  counters.requests += 1;
  counters.sectors += static_cast<uint64_t>(count.sectors);
  counters.lines += static_cast<uint64_t>(count.lines);
  counters.bytes += count.bytes;
  AccessCounters& own = counters_of(site)[isa::Space::local];
  own.requests += 1;
  own.parts += static_cast<uint64_t>(count.sectors);
  own.ideal_parts += (lane_count(active) * bytes + 31) / 32;
  count_stride(own, active);
  return true;
}

AccessSite& WarpImpl::counters_of(MemorySite& site) {
  if (site.counters == 0) {
    const Group& group = groups_[static_cast<size_t>(current_)];
    const auto f = static_cast<size_t>(group.frame->function_index);
    site.counters = tally_->site_number(group.frame->function_index, static_cast<Pc>(&site - tally_->memory[f].data()));
  }
  return tally_->sites[site.counters - 1];
}

void WarpImpl::move_one(const ir::Inst& inst, size_t lane, std::byte* regs, std::byte* place) {
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

void WarpImpl::update(const ir::Inst& inst, LaneMask active, std::byte* regs, std::byte* origin, uint64_t third) {
  const uint64_t* const address = address_.values().data();
  inst.elem_bytes == 4 ? update_lanes<4>(inst, active, regs, consts_, origin, address, third)
                       : update_lanes<8>(inst, active, regs, consts_, origin, address, third);
}

// A load or store at origin + address of each lane, in the order of the pass.
void WarpImpl::move(const ir::Inst& inst, LaneMask active, const AddressPass& pass, std::byte* regs,
                    std::byte* origin) {
  const bool loads = inst.mem == isa::Mem::ld;
  const uint32_t bytes = inst.elem_bytes, container = loads ? inst.dst_bytes : inst.src_bytes;
  if (active != isa::kFullMask) {
    return move_lanes(inst, active, regs, origin, address_.values().data());
  }
  if (pass.consecutive() && inst.mods.vec == 1 && bytes == container) {
    std::byte* const place = origin + pass.low;
    loads ? copy_row(regs + inst.dst[0], place, bytes)
          : copy_row(place, lane_values(regs, consts_, inst.src[0]), bytes);
    return;
  }
  if (!loads || !pass.uniform()) {
    return move_lanes(inst, active, regs, origin, address_.values().data());
  }
  with_sizes(
      bytes, container,
      [&]<uint32_t kBytes, uint32_t kContainer>() {
        for (size_t i = 0; i < inst.mods.vec; ++i) {
          broadcast<kBytes, kContainer>(regs + inst.dst[i], origin + pass.low + i * kBytes, isa::is_signed(inst.type));
        }
      },
      [] {});
}

void WarpImpl::move_lanes(const ir::Inst& inst, LaneMask active, std::byte* regs, std::byte* origin,
                          const uint64_t* address) {
  const bool loads = inst.mem == isa::Mem::ld, sign = isa::is_signed(inst.type);
  with_sizes(
      inst.elem_bytes, loads ? inst.dst_bytes : inst.src_bytes,
      [&]<uint32_t kBytes, uint32_t kContainer>() {
        for (size_t i = 0; i < inst.mods.vec; ++i) {
          std::byte* const at = origin + i * kBytes;
          if (loads) {
            std::byte* const out = regs + inst.dst[i];
            each_lane(active, [&](size_t lane) {
              load_lane<kBytes, kContainer>(out + lane * kContainer, at + address[lane], sign);
            });
          } else {
            const std::byte* const from = lane_values(regs, consts_, inst.src[i]);
            each_lane(active, [&](size_t lane) { std::memcpy(at + address[lane], from + lane * kContainer, kBytes); });
          }
        }
      },
      [] {});
}

}  // namespace hpml::sim::exec
