#include "reference.hpp"

namespace hpml::lab1 {

// C1 as the handout asks for it, compiled like the student's: -O3 -ffp-contract=off, for any processor.
float reference_dot(long n, const float* a, const float* b) {
  float sum = 0.0F;
  for (long j = 0; j < n; ++j) {
    sum += a[j] * b[j];
  }
  return sum;
}

void reference_peak(long rounds, float factor, float step, long values, float* x) {
  for (long round = 0; round < rounds; ++round) {
    for (long i = 0; i < values; ++i) {
      x[i] = x[i] * factor + step;
    }
  }
}

namespace {

void __attribute__((always_inline)) inline fused(long rounds, float factor, float step, long values, float* x) {
  for (long round = 0; round < rounds; ++round) {
    for (long i = 0; i < values; ++i) {
      x[i] = __builtin_fmaf(x[i], factor, step);
    }
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void fused_here(long rounds, float factor, float step, long values, float* x) {
  fused(rounds, factor, step, values, x);
}
bool fuses() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
void fused_here(long rounds, float factor, float step, long values, float* x) {
  fused(rounds, factor, step, values, x);
}
bool fuses() { return true; }
#endif

}  // namespace

// A processor without fused operations gives no such result, and its library's function takes far too long.
void reference_peak_fused(long rounds, float factor, float step, long values, float* x) {
  fuses() ? fused_here(rounds, factor, step, values, x) : reference_peak(rounds, factor, step, values, x);
}

}  // namespace hpml::lab1
