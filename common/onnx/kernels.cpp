#include "common/onnx/kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

// One source, compiled for three levels of x86-64; the processor is asked at load time for what it has, not for its
// name.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(HPML_SANITIZED)
#define HPML_ONNX_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HPML_ONNX_CLONES
#endif

// Before a loop that may work in place, as each element is read before it is written: GCC makes vectors of it all the
// same.
#if defined(__clang__)
#define HPML_ONNX_IN_PLACE
#else
#define HPML_ONNX_IN_PLACE _Pragma("GCC ivdep")
#endif

namespace hpml::onnx {

namespace {

constexpr int64_t kLanes = 32;   // partial sums of a dot product: enough independent additions to hide their latency
constexpr int kWidth = 16;       // floats of a vector: one register of AVX-512, two of AVX2
constexpr int kTileRows = 6;     // with one vector of columns: sums that fit both sets of registers
constexpr int kRowVectors = 4;   // of a tile of one row: independent additions
constexpr int64_t kDepth = 256;  // rows of a packed panel, which stays in the first cache

typedef float Vector __attribute__((vector_size(kWidth * sizeof(float)), aligned(4), may_alias));
#define HPML_ONNX_INLINE inline __attribute__((always_inline))  // compiled with the instruction set of its caller

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

// c [m][n] += a [m][k] b, where element (p, j) of b lies at p * depth_step + j * column_step.
struct Product {
  int64_t m, n, k;
  const float *a, *b;
  int64_t depth_step, column_step;
  float* c;
};

// Rows x (Vectors * kWidth) elements of c, which has n columns, from rows of a, which has k.
template <int Rows, int Vectors>
HPML_ONNX_INLINE void add_tile(int64_t depth, const float* a, int64_t k, const float* b, int64_t b_step, float* c,
                               int64_t n) {
  Vector sums[Rows][Vectors] = {};
  for (int64_t p = 0; p < depth; ++p) {
#pragma GCC unroll 6
    for (int row = 0; row < Rows; ++row) {
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) {
        sums[row][v] += a[row * k + p] * *reinterpret_cast<const Vector*>(b + p * b_step + v * kWidth);
      }
    }
  }
#pragma GCC unroll 6
  for (int row = 0; row < Rows; ++row) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      *reinterpret_cast<Vector*>(c + row * n + v * kWidth) += sums[row][v];
    }
  }
}

// All rows of `kWidth` columns of c.
HPML_ONNX_INLINE void add_columns(const Product& s, int64_t first_depth, int64_t depth, const float* b, int64_t b_step,
                                  float* c, int64_t c_step) {
  int64_t i = 0;
  for (; i + kTileRows <= s.m; i += kTileRows) {
    add_tile<kTileRows, 1>(depth, s.a + i * s.k + first_depth, s.k, b, b_step, c + i * c_step, c_step);
  }
  const auto rest =
      [&]<int Rows>(std::integral_constant<int, Rows>) {  // one pass over b for the last rows, not one each
        add_tile<Rows, 1>(depth, s.a + i * s.k + first_depth, s.k, b, b_step, c + i * c_step, c_step);
      };
  static_assert(kTileRows == 6);
  switch (s.m - i) {
    case 5: rest(std::integral_constant<int, 5>{}); break;
    case 4: rest(std::integral_constant<int, 4>{}); break;
    case 3: rest(std::integral_constant<int, 3>{}); break;
    case 2: rest(std::integral_constant<int, 2>{}); break;
    case 1: rest(std::integral_constant<int, 1>{}); break;
  }
}

// The columns from `first` on, kWidth at most, of each row: b is copied into a panel with zeros behind its last column.
HPML_ONNX_INLINE void add_packed(const Product& s, int64_t first) {
  float panel[kDepth * kWidth], rest[kWidth];
  const int64_t columns = std::min<int64_t>(kWidth, s.n - first);
  for (int64_t from = 0; from < s.k; from += kDepth) {
    const int64_t depth = std::min(kDepth, s.k - from);
    std::fill_n(panel, depth * kWidth, 0.0F);
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t p = 0; p < depth; ++p) {
        panel[p * kWidth + j] = s.b[(from + p) * s.depth_step + (first + j) * s.column_step];
      }
    }
    if (columns == kWidth) {
      add_columns(s, from, depth, panel, kWidth, s.c + first, s.n);
      continue;
    }
    for (int64_t i = 0; i < s.m; ++i) {
      std::fill_n(rest, kWidth, 0.0F);
      add_tile<1, 1>(depth, s.a + i * s.k + from, s.k, panel, kWidth, rest, kWidth);
      for (int64_t j = 0; j < columns; ++j) {
        s.c[i * s.n + first + j] += rest[j];
      }
    }
  }
}

HPML_ONNX_INLINE void product_of(const Product& s) {
  const bool in_place = s.column_step == 1;  // rows of b are vectors as they lie
  int64_t first = 0;
  for (; in_place && s.m == 1 && first + kRowVectors * kWidth <= s.n; first += kRowVectors * kWidth) {
    add_tile<1, kRowVectors>(s.k, s.a, s.k, s.b + first, s.depth_step, s.c + first, s.n);
  }
  for (; first < s.n; first += kWidth) {
    if (in_place && first + kWidth <= s.n) {
      add_columns(s, 0, s.k, s.b + first, s.depth_step, s.c + first, s.n);
    } else {
      add_packed(s, first);
    }
  }
}

}  // namespace

HPML_ONNX_CLONES
void product_by_rows(int64_t m, int64_t n, int64_t k, const float* a, const float* b, float* c) {
  if (m >= kTileRows) {
    product_of({m, n, k, a, b, 1, k, c});
    return;
  }
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
  product_of({m, n, k, a, b, n, 1, c});
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
  HPML_ONNX_IN_PLACE
  for (int64_t i = 0; i < count; ++i) {
    out[i] = 1 / (1 + exp_of(-in[i]));
  }
}

// Near 0, 2 sigmoid(2x) - 1 loses digits: a polynomial there (Cephes tanhf).
HPML_ONNX_CLONES
void tanh_of(int64_t count, const float* in, float* out) {
  HPML_ONNX_IN_PLACE
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
