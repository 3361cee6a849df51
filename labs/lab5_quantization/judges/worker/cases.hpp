#pragma once
// Products and convolutions that mistakes of qgemm.cpp depend on, and their results in 64 bits. Needs nothing but the
// standard library, so that a test can build it for another processor.
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace hpml::lab5 {

using Random = std::mt19937_64;

struct GemmCase {
  int64_t m = 1, n = 1, k = 1, lda = 1;
  int32_t za = 0, zb = 0;
  int64_t a_size() const { return (m - 1) * lda + k; }
  int64_t b_size() const { return k * n; }
  int64_t c_size() const { return m * n; }
  int64_t macs() const { return m * n * k; }
};

struct ConvCase {
  int32_t h = 1, w = 1, ci = 1, co = 1, k = 1, stride = 1, pad = 0, zx = 0;
  int64_t out_h() const { return (h + 2 * pad - k) / stride + 1; }
  int64_t out_w() const { return (w + 2 * pad - k) / stride + 1; }
  int64_t a_size() const { return int64_t{h} * w * ci; }
  int64_t b_size() const { return int64_t{k} * k * ci * co; }
  int64_t c_size() const { return out_h() * out_w() * co; }
  int64_t macs() const { return c_size() * k * k * ci; }
};

// The values: any, or those at both ends, where pairs of products do not fit into 16 bits.
enum class Values : uint8_t { any, extreme };
void fill(Random& random, Values values, std::span<uint8_t> a, std::span<int8_t> b);

std::vector<int64_t> oracle(const GemmCase& g, std::span<const uint8_t> a, std::span<const int8_t> b);
std::vector<int64_t> oracle(const ConvCase& s, std::span<const uint8_t> x, std::span<const int8_t> w);

// Sizes with every tail of k from 1 to 67, zero points at both ends.
std::vector<GemmCase> gemm_cases(Random& random);
std::vector<ConvCase> conv_cases(Random& random);

}  // namespace hpml::lab5
