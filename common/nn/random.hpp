#pragma once
// Counter-based random numbers: Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2,
// 3", SC 2011). Number i of stream s under seed k is a pure function of (k, s, i), so what a sample gets depends
// neither on the order of work nor on the number of threads, and the bits are the same with every standard library.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hpml::nn {

using PhiloxBlock = std::array<uint32_t, 4>;
PhiloxBlock philox4x32(PhiloxBlock counter, std::array<uint32_t, 2> key);

// A stream number from a word ("shuffle", "weights") and up to two indices, e.g. an epoch and a sample.
uint64_t stream_id(std::string_view purpose, uint64_t a = 0, uint64_t b = 0);

class Random {
 public:
  Random(uint64_t seed, uint64_t stream) : seed_(seed), stream_(stream) {}

  uint64_t bits(uint64_t index) const;     // all 64 bits
  double uniform(uint64_t index) const;    // [0, 1), 53 bits
  double normal(uint64_t index) const;     // N(0, 1): Box-Muller on uniforms 2*index and 2*index + 1 (cosine branch)
  int below(uint64_t index, int n) const;  // 0 .. n-1, n > 0: floor(uniform * n)

  // The next number of the stream, for code that draws one after the other.
  double next_uniform() { return uniform(next_++); }
  double next_normal() { return normal(next_normal_++); }

 private:
  uint64_t seed_, stream_;
  uint64_t next_ = 0, next_normal_ = 0;
};

// A permutation of 0 .. n-1 (Fisher-Yates from the end), the same on every machine.
std::vector<int> permutation(int n, uint64_t seed, uint64_t stream);

}  // namespace hpml::nn
