// XORWOW: a linear shift register of 160 bits over GF(2), plus a counter (Marsaglia, "Xorshift RNGs", 2003).
#include <array>

#include "simulator/curand/lanes.hpp"

namespace hpml::sim::curand {
namespace {

constexpr int kWords = 5, kWordBits = 32, kBits = kWords * kWordBits;

constexpr int kDoubled = 67;  // the longest jump is of 2^67 steps

using State = std::array<uint32_t, kWords>;

State step(const State& v) {
  const uint32_t t = v[0] ^ v[0] >> 2U;
  return {v[1], v[2], v[3], v[4], v[4] ^ v[4] << 4U ^ t ^ t << 1U};
}

// A number of steps, as what it makes of each bit of a state: steps are linear.
using Jump = std::array<State, kBits>;

State operator*(const Jump& jump, const State& state) {
  State sum{};
  for (size_t bit = 0; bit < kBits; ++bit) {
    const uint32_t set = 0U - (state[bit / kWordBits] >> bit % kWordBits & 1U);
    for (size_t i = 0; i < kWords; ++i) {
      sum[i] ^= jump[bit][i] & set;
    }
  }
  return sum;
}

Jump operator*(const Jump& left, const Jump& right) {
  Jump product{};
  for (size_t bit = 0; bit < kBits; ++bit) {
    product[bit] = left * right[bit];
  }
  return product;
}

// By 2^n steps, n = 0 ... 67.
const std::array<Jump, kDoubled + 1>& jumps() {
  static const auto all = [] {
    std::array<Jump, kDoubled + 1> made{};
    for (size_t bit = 0; bit < kBits; ++bit) {
      State one{};
      one[bit / kWordBits] = 1U << bit % kWordBits;
      made[0][bit] = step(one);
    }
    for (size_t n = 1; n < made.size(); ++n) {
      made[n] = made[n - 1] * made[n - 1];
    }
    return made;
  }();
  return all;
}

struct Xorwow {
  static constexpr size_t kLanes = 4096;  // 2^67 steps apart
  static constexpr uint32_t kCount = 362437;

  static Xorwow seeded(uint64_t seed);
  static std::vector<Xorwow> lanes(uint64_t seed, uint64_t steps, uint64_t more);

  State v{};
  uint32_t counter = 0;

  uint32_t bits() {
    v = step(v);
    counter += kCount;
    return v[kWords - 1] + counter;
  }
  float uniform() { return to_float(bits()); }
  double fine() {
    const uint32_t low = bits();
    return to_double(low, bits());
  }
};

// How a seed becomes a state: constants of curand_init() in NVIDIA's curand_kernel.h.
Xorwow Xorwow::seeded(uint64_t seed) {
  const uint32_t low = 1099087573U * (static_cast<uint32_t>(seed) ^ 0xaad26b49U);
  const uint32_t high = 2591861531U * (static_cast<uint32_t>(seed >> 32U) ^ 0xf7dcefddU);
  return {{123456789U + low, 362436069U ^ low, 521288629U + high, 88675123U ^ high, 5783321U + low},
          6615241U + high + low};
}

std::vector<Xorwow> Xorwow::lanes(uint64_t seed, uint64_t steps, uint64_t more) {
  Xorwow first = seeded(seed);
  for (size_t n = 0; n < 64; ++n) {
    if ((steps >> n & 1U) != 0) {
      first.v = jumps()[n] * first.v;
    }
  }
  first.counter += static_cast<uint32_t>(steps) * kCount;
  std::vector<Xorwow> made(kLanes, first);  // 2^67 steps add a multiple of 2^32 to the counter
  for (size_t i = 1; i < kLanes; ++i) {
    made[i].v = jumps()[kDoubled] * made[i - 1].v;
  }
  for (size_t i = 0; i < more; ++i) {
    made[i].bits();
  }
  return made;
}

}  // namespace

std::unique_ptr<Sequence> xorwow() { return std::make_unique<LaneSequence<Xorwow>>(); }

}  // namespace hpml::sim::curand
