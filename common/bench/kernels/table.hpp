#pragma once
// The calibration kernels, compiled once per instruction set level from one portable source (kernels/vectors.hpp).
#include <cstdint>
#include <vector>

namespace hpml::bench {

struct KernelTable {
  const char* level;  // "avx512", "avx2", "sse2", "neon", ...
  int lanes;          // floats per vector
  bool fused;         // multiplies and adds in one instruction
  float (*dot)(int64_t n, const float* a, const float* b);
  float (*dot_far)(int64_t n, const float* a, const float* b);  // asks for memory well before it needs it
  float (*sum)(int64_t n, const float* a);                      // reads and nothing else
  float (*sum_far)(int64_t n, const float* a);
  void (*copy)(int64_t n, double* c, const double* a);
  void (*scale)(int64_t n, double k, double* b, const double* c);
  void (*add)(int64_t n, double* c, const double* a, const double* b);
  void (*triad)(int64_t n, double k, double* a, const double* b, const double* c);
  float (*peak)(int64_t rounds);  // multiply-adds with no memory; operations: peak_flop(rounds)
  int64_t peak_flop_per_round;
};

// Vectors of more bytes than this together: dot_far, sum_far. The nearer caches do not hold them, and asking ahead
// pays.
constexpr int64_t kFarBytes = 4 << 20;

// Those that this processor runs, the widest first. Never empty.
std::vector<const KernelTable*> kernels_here();

// A chain of dependent integer additions, one cycle each on every processor of the last decades: the real clock.
uint64_t add_chain(int64_t additions);
constexpr int64_t kAddChainUnit = 64;  // additions come in multiples of this

}  // namespace hpml::bench
