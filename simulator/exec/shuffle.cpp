#include "simulator/exec/detail/shuffle.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace hpml::sim::exec {

// Lane i reads lane j of its segment.
ShuffleSource shuffle_source(int mode, int lane, LaneMask active, uint32_t b, uint32_t c) {
  constexpr int kUp = 0, kDown = 1, kBfly = 2;
  const int bval = static_cast<int>(b & 31), cval = static_cast<int>(c & 31), seg = static_cast<int>((c >> 8) & 31);
  const int max_lane = (lane & seg) | (cval & ~seg), min_lane = lane & seg;
  const int j = mode == kUp     ? lane - bval
                : mode == kDown ? lane + bval
                : mode == kBfly ? lane ^ bval
                                : (min_lane | (bval & ~seg));
  const bool in_range = mode == kUp ? j >= max_lane : j <= max_lane;
  // A source lane that does not take part is undefined on hardware: the lane's own value here.
  const bool there = in_range && ((active >> (j & 31)) & 1u) != 0;
  return {there ? j : lane, in_range};
}

namespace {

// Where each lane of a full warp reads, when b and c are the same in all lanes.
struct ShufflePattern {
  static constexpr uint32_t kBits = 0x1f1f;  // of c that count
  uint32_t c = ~kBits;                       // of none yet
  LaneMask in_range = 0;
  std::array<uint8_t, isa::kWarpSize> from{};
};
// Kept, because the steps of a reduction come again and again.
const ShufflePattern& shuffle_pattern(int mode, uint32_t b, uint32_t c) {
  constexpr size_t kModes = 4, kSteps = 32;
  thread_local std::array<ShufflePattern, kModes * kSteps> known;
  ShufflePattern& pattern = known[static_cast<size_t>(mode) * kSteps + b % kSteps];
  if (c &= ShufflePattern::kBits; pattern.c != c) {
    pattern = {.c = c};
    for (int lane = 0; lane < isa::kWarpSize; ++lane) {
      const ShuffleSource source = shuffle_source(mode, lane, isa::kFullMask, b, c);
      pattern.from[static_cast<size_t>(lane)] = static_cast<uint8_t>(source.lane);
      pattern.in_range |= source.in_range ? 1u << lane : 0u;
    }
  }
  return pattern;
}

}  // namespace

LaneMask shuffle_words(int mode, LaneMask active, bool uniform, const uint32_t* a, const uint32_t* b, const uint32_t* c,
                       uint32_t* d) {
  std::array<uint32_t, isa::kWarpSize> values;
  std::memcpy(values.data(), a, sizeof values);  // d may be a
  if (uniform && active == isa::kFullMask) {
    const ShufflePattern& pattern = shuffle_pattern(mode, b[0], c[0]);
    for (size_t lane = 0; lane < isa::kWarpSize; ++lane) {
      d[lane] = values[pattern.from[lane]];
    }
    return pattern.in_range;
  }
  LaneMask in_range = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const ShuffleSource from = shuffle_source(mode, lane, active, b[lane], c[lane]);
    d[lane] = values[static_cast<size_t>(from.lane)];
    in_range |= from.in_range ? 1u << lane : 0u;
  }
  return in_range;
}

}  // namespace hpml::sim::exec
