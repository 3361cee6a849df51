// Moving the bytes of an access between memory and registers, and read-modify-write.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "simulator/exec/access_counts.hpp"
#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lane_move.hpp"
#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

namespace {

constexpr size_t kWidest = 32;  // bytes of a lane's access

}  // namespace

void WarpMemory::transfer_one(const ir::Inst& inst, int lane, const std::byte* place) {
  std::byte* regs = groups_[static_cast<size_t>(current_)].frame->regs;
  const bool loads = inst.mem == isa::Mem::ld;
  const uint32_t bytes = inst.elem_bytes, container = loads ? inst.dst_bytes : inst.src_bytes;
  const bool sign = bytes < container && isa::is_signed(inst.type);
  const size_t at = static_cast<size_t>(lane) * container;
  for (size_t i = 0; i < inst.mods.vec; ++i) {
    const std::byte* memory = place + i * bytes;
    std::byte* const to = loads ? regs + inst.dst[i] + at : const_cast<std::byte*>(memory);
    const std::byte* const from = loads ? memory : lane_values(regs, consts_, inst.src[i]) + at;
    with_sizes(
        bytes, container,
        [&]<uint32_t kBytes, uint32_t kContainer>() {
          loads ? load_lane<kBytes, kContainer>(to, from, sign) : void(std::memcpy(to, from, kBytes));
        },
        [&] { std::memcpy(to, from, bytes); });
  }
}

// Elements of all active lanes, one after the other: lanes that meet at one address meet with the same element, so that
// the order of elements and lanes does not matter as long as the highest lane comes last.
template <uint32_t kBytes, uint32_t kContainer>
void WarpMemory::transfer_elements(const ir::Inst& inst, LaneMask active, const Places& place) {
  std::byte* regs = groups_[static_cast<size_t>(current_)].frame->regs;
  const bool sign = isa::is_signed(inst.type);
  for (size_t i = 0; i < inst.mods.vec; ++i) {
    if (inst.mem == isa::Mem::ld) {
      std::byte* out = regs + inst.dst[i];
      each_lane(active, [&](size_t lane) {
        load_lane<kBytes, kContainer>(out + lane * kContainer, place[lane] + i * kBytes, sign);
      });
      continue;
    }
    const std::byte* from = lane_values(regs, consts_, inst.src[i]);
    each_lane(active, [&](size_t lane) {
      std::memcpy(const_cast<std::byte*>(place[lane]) + i * kBytes, from + lane * kContainer, kBytes);
    });
  }
}

void WarpMemory::transfer(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space) {
  if (inst.mem == isa::Mem::ld || !spin_.watches()) {
    return move_bytes(inst, active, place, space);
  }
  const size_t bytes = size_t{inst.elem_bytes} * inst.mods.vec;
  std::array<std::byte, isa::kWarpSize * kWidest> before;
  each_lane(active, [&](size_t lane) { std::memcpy(&before[lane * bytes], place[lane], bytes); });
  move_bytes(inst, active, place, space);
  each_lane(active, [&](size_t lane) {
    if (std::memcmp(&before[lane * bytes], place[lane], bytes) != 0) {
      spin_.memory_changed();
    }
  });
}

void WarpMemory::move_bytes(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space) {
  if (inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red) {
    return atomic(inst, active, place, space);
  }
  const uint32_t bytes = inst.elem_bytes;
  const bool plain = inst.mods.vec == 1 && bytes == (inst.mem == isa::Mem::ld ? inst.dst_bytes : inst.src_bytes);
  if (plain && active == isa::kFullMask && (bytes == 4 || bytes == 8)) {
    const bool side_by_side = place[31] - place[0] == std::ptrdiff_t{31} * bytes && consecutive(place.data(), bytes);
    std::byte* regs = groups_[static_cast<size_t>(current_)].frame->regs;
    if (side_by_side && inst.mem == isa::Mem::ld) {
      std::memcpy(regs + inst.dst[0], place[0], size_t{32} * bytes);
      return;
    }
    if (side_by_side) {
      std::memcpy(const_cast<std::byte*>(place[0]), lane_values(regs, consts_, inst.src[0]), size_t{32} * bytes);
      return;
    }
  }
  with_sizes(
      bytes, inst.mem == isa::Mem::ld ? inst.dst_bytes : inst.src_bytes,
      [&]<uint32_t kBytes, uint32_t kContainer>() { transfer_elements<kBytes, kContainer>(inst, active, place); },
      [&] {
        for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
          const int lane = std::countr_zero(rest);
          transfer_one(inst, lane, place[static_cast<size_t>(lane)]);
        }
      });
}

// Lanes in ascending order: a legal order, the same every time. A float add that has no third operand is told by it
// whether its space flushes subnormals: global memory does, shared does not (PTX ISA 9.0, 9.7.13.15 atom).
void WarpMemory::atomic(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space) {
  const uint32_t bytes = inst.elem_bytes;
  const uint64_t flush = space == isa::Space::global ? 1 : 0;
  if (updates_words(inst)) {
    std::array<uint64_t, isa::kWarpSize> address;
    for (size_t lane = 0; lane < address.size(); ++lane) {
      address[lane] = reinterpret_cast<uintptr_t>(place[lane]);
    }
    return update(inst, active, groups_[static_cast<size_t>(current_)].frame->regs, 0, address.data(), flush);
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    std::byte* memory = const_cast<std::byte*>(place[static_cast<size_t>(lane)]);
    if (bytes == sizeof(isa::B128)) {
      atomic_wide(inst, lane, memory);
      continue;
    }
    for (size_t i = 0; i < inst.mods.vec; ++i) {
      uint64_t old = 0;
      std::memcpy(&old, memory + i * bytes, bytes);
      const bool third = inst.mods.vec == 1 && inst.src[1] != isa::kNoSlot;
      const uint64_t b = inst.src[i] != isa::kNoSlot ? value(inst.src[i], lane, inst.src_bytes) : 0;
      const uint64_t c = third ? value(inst.src[1], lane, inst.src_bytes) : flush;
      const uint64_t now = inst.variant->rmw(old, b, c);
      std::memcpy(memory + i * bytes, &now, bytes);
      if (inst.mem == isa::Mem::atom) {
        set_value(inst.dst[i], lane, inst.dst_bytes, old);
      }
    }
  }
}

// exch and cas of 16 bytes: with a second operand, it is written only where the first is what memory holds.
void WarpMemory::atomic_wide(const ir::Inst& inst, int lane, std::byte* memory) {
  std::byte* regs = groups_[static_cast<size_t>(current_)].frame->regs;
  const size_t place = static_cast<size_t>(lane) * sizeof(isa::B128);
  std::array<std::byte, sizeof(isa::B128)> old;
  std::memcpy(old.data(), memory, old.size());
  const bool compares = inst.src[1] != isa::kNoSlot;
  if (!compares || std::memcmp(old.data(), regs + inst.src[0] + place, old.size()) == 0) {
    std::memcpy(memory, regs + inst.src[compares ? 1 : 0] + place, old.size());
  }
  std::memcpy(regs + inst.dst[0] + place, old.data(), old.size());
}

}  // namespace hpml::sim::exec
