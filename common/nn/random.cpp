#include "common/nn/random.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace hpml::nn {

namespace {

// Multipliers and Weyl constants of Philox 4x32 (Salmon et al. 2011, section 3.3 and Random123's philox.h).
constexpr uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

// Finaliser of SplitMix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }
uint32_t high(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

}  // namespace

PhiloxBlock philox4x32(PhiloxBlock counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = uint64_t{kMultiplier0} * counter[0];
    const uint64_t product1 = uint64_t{kMultiplier1} * counter[2];
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1), high(product0) ^ counter[3] ^ key[1],
               low(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

uint64_t stream_id(std::string_view purpose, uint64_t a, uint64_t b) {
  uint64_t id = 0;
  for (const char letter : purpose) {
    id = mix(id ^ static_cast<unsigned char>(letter));
  }
  return mix(mix(id ^ a) ^ b);
}

// A block of four words holds two 64-bit numbers: index i is half i % 2 of block i / 2.
uint64_t Random::bits(uint64_t index) const {
  const uint64_t block = index / 2;
  const PhiloxBlock words =
      philox4x32({low(block), high(block), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
  const size_t half = 2 * (index % 2);
  return uint64_t{words[half + 1]} << 32 | words[half];
}

double Random::uniform(uint64_t index) const { return static_cast<double>(bits(index) >> 11) * 0x1p-53; }

double Random::normal(uint64_t index) const {
  const double u = 1.0 - uniform(2 * index);  // (0, 1]: its logarithm exists
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * uniform(2 * index + 1));
}

int Random::below(uint64_t index, int n) const { return static_cast<int>(uniform(index) * n); }

std::vector<int> permutation(int n, uint64_t seed, uint64_t stream) {
  const Random random(seed, stream);
  std::vector<int> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) {
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(random.below(static_cast<uint64_t>(i), i + 1))]);
  }
  return order;
}

}  // namespace hpml::nn
