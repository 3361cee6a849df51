#pragma once
// The convolution of both kinds of numbers, compiled for the processor's vectors by the file that includes it.
#include <vector>

#include "networks/network.hpp"

namespace hpml::lab5 {

// y[co] += sum of (x - zero) * w, per output pixel. T: what is summed in. The order of the sums is the same everywhere.
template <class T, class X, class W>
[[gnu::always_inline]] inline void convolve_into(const nn::ConvShape& s, const X* x, T zero, const W* w, T* y) {
  const auto co = static_cast<size_t>(s.co), ci = static_cast<size_t>(s.ci);
  for (int pixel = 0; pixel < s.out_h() * s.out_w(); ++pixel) {
    T* out = y + static_cast<size_t>(pixel) * co;
    for (int tap = 0; tap < s.k * s.k; ++tap) {
      const int row = pixel / s.out_w() * s.stride - s.pad + tap / s.k,
                column = pixel % s.out_w() * s.stride - s.pad + tap % s.k;
      if (row < 0 || row >= s.h || column < 0 || column >= s.w) {
        continue;
      }
      for (size_t i = 0; i < ci; ++i) {
        const T value = static_cast<T>(x[static_cast<size_t>(row * s.w + column) * ci + i]) - zero;
        const W* weights = w + (static_cast<size_t>(tap) * ci + i) * co;
        for (size_t c = 0; c < co; ++c) {
          out[c] += value * static_cast<T>(weights[c]);
        }
      }
    }
  }
}

// 256-bit vectors where the processor has them.
#if defined(__x86_64__)
#define LAB5_VECTORS __attribute__((target_clones("default", "avx2")))
#else
#define LAB5_VECTORS
#endif

}  // namespace hpml::lab5
