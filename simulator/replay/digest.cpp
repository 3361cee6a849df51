#include <cstring>

#include "simulator/replay/events.hpp"

namespace hpml::sim::replay {

uint64_t digest_of(const std::byte* data, uint64_t bytes, uint64_t seed) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio, odd
  constexpr int kLanes = 4;                         // independent chains, so that the multiplications overlap
  uint64_t lanes[kLanes] = {seed, seed + 1, seed + 2, seed + 3};
  const auto mix = [](uint64_t state, uint64_t word) {
    state = (state ^ word) * kFactor;
    return state ^ (state >> 29);
  };
  uint64_t at = 0;
  for (; at + kLanes * sizeof(uint64_t) <= bytes; at += kLanes * sizeof(uint64_t)) {
    uint64_t words[kLanes];
    std::memcpy(words, data + at, sizeof(words));
    for (int lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = mix(lanes[lane], words[lane]);
    }
  }
  uint64_t rest[kLanes] = {};
  if (at < bytes) {
    std::memcpy(rest, data + at, bytes - at);
  }
  uint64_t result = mix(seed, bytes);
  for (int lane = 0; lane < kLanes; ++lane) {
    result = mix(result, mix(lanes[lane], rest[lane]));
  }
  return result;
}

}  // namespace hpml::sim::replay
