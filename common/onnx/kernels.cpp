#include "common/onnx/kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

// One source, compiled for the instruction sets that x86 processors differ in; the processor is asked at load time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define HPML_ONNX_CLONES __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define HPML_ONNX_CLONES
#endif

namespace hpml::onnx {

namespace {

constexpr int64_t kLanes = 32;  // partial sums of a dot product: enough independent additions to hide their latency
constexpr int64_t kColumns = 64, kRows = 4;

// e^x for |x| <= 88: 2^n times a polynomial of degree 6 on [-ln 2 / 2, ln 2 / 2] (Cephes expf, relative error 2e-7).
inline float exp_of(float x) {
  x = std::min(88.0F, std::max(-87.0F, x));
  const float n = std::floor(x * 1.44269504F + 0.5F);
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1;
  return p * std::bit_cast<float>((static_cast<int32_t>(n) + 127) << 23);
}

}  // namespace

HPML_ONNX_CLONES
void product_by_rows(int64_t m, int64_t n, int64_t k, const float* a, const float* b, float* c) {
  for (int64_t i = 0; i < m; ++i) {
    const float* x = a + i * k;
    for (int64_t j = 0; j < n; ++j) {
      const float* w = b + j * k;
      float lanes[kLanes] = {};
      int64_t p = 0;
      for (; p + kLanes <= k; p += kLanes) {
        for (int64_t lane = 0; lane < kLanes; ++lane) {
          lanes[lane] += x[p + lane] * w[p + lane];
        }
      }
      for (int64_t half = kLanes / 2; half > 0; half /= 2) {
        for (int64_t lane = 0; lane < half; ++lane) {
          lanes[lane] += lanes[lane + half];
        }
      }
      float sum = lanes[0];
      for (; p < k; ++p) {
        sum += x[p] * w[p];
      }
      c[i * n + j] += sum;
    }
  }
}

HPML_ONNX_CLONES
void product(int64_t m, int64_t n, int64_t k, const float* a, const float* b, float* c) {
  for (int64_t first = 0; first < n; first += kColumns) {
    const int64_t columns = std::min(kColumns, n - first);
    for (int64_t i = 0; i < m; i += kRows) {
      const int64_t rows = std::min(kRows, m - i);
      if (columns == kColumns && rows == kRows) {
        float sums[kRows][kColumns] = {};
        for (int64_t p = 0; p < k; ++p) {
          const float* w = b + p * n + first;
          for (int64_t row = 0; row < kRows; ++row) {
            const float x = a[(i + row) * k + p];
            for (int64_t column = 0; column < kColumns; ++column) {
              sums[row][column] += x * w[column];
            }
          }
        }
        for (int64_t row = 0; row < kRows; ++row) {
          for (int64_t column = 0; column < kColumns; ++column) {
            c[(i + row) * n + first + column] += sums[row][column];
          }
        }
        continue;
      }
      for (int64_t row = 0; row < rows; ++row) {
        float sums[kColumns] = {};
        for (int64_t p = 0; p < k; ++p) {
          const float x = a[(i + row) * k + p];
          const float* w = b + p * n + first;
          if (columns == kColumns) {
            for (int64_t column = 0; column < kColumns; ++column) {
              sums[column] += x * w[column];
            }
          } else {
            for (int64_t column = 0; column < columns; ++column) {
              sums[column] += x * w[column];
            }
          }
        }
        for (int64_t column = 0; column < columns; ++column) {
          c[(i + row) * n + first + column] += sums[column];
        }
      }
    }
  }
}

void transpose(int64_t rows, int64_t columns, const float* from, float* to) {
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      to[column * rows + row] = from[row * columns + column];
    }
  }
}

HPML_ONNX_CLONES
void sigmoid_of(int64_t count, const float* in, float* out) {
  for (int64_t i = 0; i < count; ++i) {
    out[i] = 1 / (1 + exp_of(-in[i]));
  }
}

// Near 0, 2 sigmoid(2x) - 1 loses digits: a polynomial there (Cephes tanhf).
HPML_ONNX_CLONES
void tanh_of(int64_t count, const float* in, float* out) {
  for (int64_t i = 0; i < count; ++i) {
    const float x = in[i], s = x * x;
    float p = -5.70498872745e-3F;
    p = p * s + 2.06390887954e-2F;
    p = p * s - 5.37397155531e-2F;
    p = p * s + 1.33314422036e-1F;
    p = p * s - 3.33332819422e-1F;
    const float small = p * s * x + x;
    const float large = 1 - 2 / (1 + exp_of(2 * std::fabs(x)));
    out[i] = std::fabs(x) < 0.625F ? small : std::copysign(large, x);
  }
}

}  // namespace hpml::onnx
