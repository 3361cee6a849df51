#pragma once
// The one product that is not yours: the linear layer's, 0.001 % of the work.
#include "common/nn/slots.hpp"

namespace network {

static inline void matmul(const hpml::nn::MatMul& s, const float* a, const float* b, float* c, hpml::nn::ThreadPool&) {
  for (int64_t i = 0; i < s.m; ++i) {
    for (int64_t j = 0; j < s.n; ++j) {
      float sum = s.accumulate ? c[i * s.n + j] : 0;
      for (int64_t k = 0; k < s.k; ++k) {
        sum += (s.transpose_a ? a[k * s.m + i] : a[i * s.k + k]) * (s.transpose_b ? b[j * s.k + k] : b[k * s.n + j]);
      }
      c[i * s.n + j] = sum;
    }
  }
}

}  // namespace network
