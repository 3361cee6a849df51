#pragma once
// The loops of the definitions (slots.hpp), for any element type: the lowest rung, and in double the oracle of the
// tests.
#include <algorithm>
#include <cstdint>

#include "common/nn/slots.hpp"

namespace hpml::nn::baseline {

// Visits every product of the convolution: visit(index in x, index in w, index in y).
template <class Visit>
void for_each_product(const ConvShape& s, Visit&& visit) {
  for (int64_t n = 0; n < s.n; ++n) {
    for (int64_t oh = 0; oh < s.out_h(); ++oh) {
      for (int64_t ow = 0; ow < s.out_w(); ++ow) {
        for (int64_t kh = 0; kh < s.k; ++kh) {
          for (int64_t kw = 0; kw < s.k; ++kw) {
            const int64_t ih = oh * s.stride - s.pad + kh, iw = ow * s.stride - s.pad + kw;
            if (ih < 0 || ih >= s.h || iw < 0 || iw >= s.w) {
              continue;
            }
            const int64_t x = ((n * s.h + ih) * s.w + iw) * s.ci;
            const int64_t y = ((n * s.out_h() + oh) * s.out_w() + ow) * s.co;
            for (int64_t ci = 0; ci < s.ci; ++ci) {
              const int64_t w = ((kh * s.k + kw) * s.ci + ci) * s.co;
              for (int64_t co = 0; co < s.co; ++co) {
                visit(x + ci, w + co, y + co);
              }
            }
          }
        }
      }
    }
  }
}

template <class T>
void naive_conv2d_forward(const ConvShape& shape, View<const T> x, View<const T> w, View<T> y) {
  std::fill_n(y.data, y.size(), T{});
  for_each_product(shape, [&](int64_t i, int64_t j, int64_t o) { y[o] += x[i] * w[j]; });
}

template <class T>
void naive_conv2d_backward(const ConvShape& shape, View<const T> x, View<const T> w, View<const T> dy, View<T> dx,
                           View<T> dw) {
  std::fill_n(dw.data, dw.size(), T{});
  for_each_product(shape, [&](int64_t i, int64_t j, int64_t o) { dw[j] += x[i] * dy[o]; });
  if (!dx.empty()) {
    std::fill_n(dx.data, dx.size(), T{});
    for_each_product(shape, [&](int64_t i, int64_t j, int64_t o) { dx[i] += w[j] * dy[o]; });
  }
}

template <class T>
void naive_matmul(const MatMul& s, const T* a, const T* b, T* c) {
  for (int64_t i = 0; i < s.m; ++i) {
    for (int64_t j = 0; j < s.n; ++j) {
      T sum = s.accumulate ? c[i * s.n + j] : T{};
      for (int64_t k = 0; k < s.k; ++k) {
        sum += (s.transpose_a ? a[k * s.m + i] : a[i * s.k + k]) * (s.transpose_b ? b[j * s.k + k] : b[k * s.n + j]);
      }
      c[i * s.n + j] = sum;
    }
  }
}

}  // namespace hpml::nn::baseline
