// Moving the bytes of an access between memory and registers, and read-modify-write.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/access_counts.hpp"
#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

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

// Words, or vectors of words, of all lanes. Lanes that meet at one address meet with the same element, so that the
// order of elements and lanes does not matter as long as the highest lane comes last.
void WarpImpl::transfer_words(const ir::Inst& inst, const Places& place) {
  constexpr size_t kWord = 4;
  std::byte* regs = groups_[static_cast<size_t>(current_)].frame->regs;
  for (size_t i = 0; i < inst.mods.vec; ++i) {
    if (inst.mem == isa::Mem::ld) {
      std::byte* out = regs + inst.dst[i];
      for (size_t lane = 0; lane < 32; ++lane) {
        std::memcpy(out + lane * kWord, place[lane] + i * kWord, kWord);
      }
      continue;
    }
    const isa::Slot slot = inst.src[i];
    const std::byte* from = (slot & isa::kConstBit) != 0 ? consts_ + (slot & ~isa::kConstBit) : regs + slot;
    for (size_t lane = 0; lane < 32; ++lane) {
      std::memcpy(const_cast<std::byte*>(place[lane]) + i * kWord, from + lane * kWord, kWord);
    }
  }
}

void WarpImpl::transfer(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space) {
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
      const isa::Slot slot = inst.src[0];
      const std::byte* from = (slot & isa::kConstBit) != 0 ? consts_ + (slot & ~isa::kConstBit) : regs + slot;
      std::memcpy(const_cast<std::byte*>(place[0]), from, size_t{32} * bytes);
      return;
    }
  }
  constexpr uint32_t kWord = 4;
  if (active == isa::kFullMask && bytes == kWord &&
      bytes == (inst.mem == isa::Mem::ld ? inst.dst_bytes : inst.src_bytes)) {
    return transfer_words(inst, place);
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    transfer_one(inst, lane, place[static_cast<size_t>(lane)]);
  }
}

// Lanes in ascending order: a legal order, the same every time. A float add that has no third operand is told by it
// whether its space flushes subnormals: global memory does, shared does not (PTX ISA 9.0, 9.7.13.15 atom).
void WarpImpl::atomic(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space) {
  const uint32_t bytes = inst.elem_bytes;
  const uint64_t flush = space == isa::Space::global ? 1 : 0;
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
void WarpImpl::atomic_wide(const ir::Inst& inst, int lane, std::byte* memory) {
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
