#pragma once
// Loops that move one element per lane between a register and memory.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simulator/isa/op.hpp"

namespace hpml::sim::exec {

// Calls f<bytes in memory, bytes of the register container>(). Sizes known when compiled make each of a lane's copies
// one move; other sizes (16 bytes) go to `otherwise`.
template <class F, class G>
void with_sizes(uint32_t bytes, uint32_t container, F f, G otherwise) {
  switch (bytes * 16 + container) {
    case 0x12: return f.template operator()<1, 2>();
    case 0x14: return f.template operator()<1, 4>();
    case 0x18: return f.template operator()<1, 8>();
    case 0x22: return f.template operator()<2, 2>();
    case 0x24: return f.template operator()<2, 4>();
    case 0x28: return f.template operator()<2, 8>();
    case 0x44: return f.template operator()<4, 4>();
    case 0x48: return f.template operator()<4, 8>();
    case 0x88: return f.template operator()<8, 8>();
    default: return otherwise();
  }
}

// Extends what memory holds to the container.
template <uint32_t kBytes, uint32_t kContainer>
void load_lane(std::byte* reg, const std::byte* memory, bool sign) {
  uint64_t raw = 0;
  std::memcpy(&raw, memory, kBytes);
  if (kBytes < kContainer && sign) {
    constexpr uint32_t kShift = 64 - kBytes * 8;
    raw = static_cast<uint64_t>(static_cast<int64_t>(raw << kShift) >> kShift);
  }
  std::memcpy(reg, &raw, kContainer);
}

template <class F>
void each_lane(isa::LaneMask active, F f) {
  if (active == isa::kFullMask) {
    for (size_t lane = 0; lane < isa::kWarpSize; ++lane) {
      f(lane);
    }
    return;
  }
  for (isa::LaneMask rest = active; rest != 0; rest &= rest - 1) {
    f(static_cast<size_t>(std::countr_zero(rest)));
  }
}

// 32 elements side by side; copies of a known size need no call.
inline void copy_row(std::byte* to, const std::byte* from, uint32_t element_bytes) {
  switch (element_bytes) {
    case 4: std::memcpy(to, from, 4 * isa::kWarpSize); return;
    case 8: std::memcpy(to, from, 8 * isa::kWarpSize); return;
    default: std::memcpy(to, from, size_t{element_bytes} * isa::kWarpSize); return;
  }
}

// Where the lanes of an operand lie.
inline const std::byte* lane_values(const std::byte* regs, const std::byte* consts, isa::Slot slot) {
  return (slot & isa::kConstBit) != 0 ? consts + (slot & ~isa::kConstBit) : regs + slot;
}

}  // namespace hpml::sim::exec
