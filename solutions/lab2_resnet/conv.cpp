// K1: a convolution as many small matrix products whose sums stay in registers.
//
// Images are copied into a border of zeros first. Then the k * ci values below one filter row lie side by side, and so
// do the weights they meet: every sum is k dot products of that length, and no tap needs a test.
#include <algorithm>
#include <array>
#include <utility>

#include "lab2.hpp"

namespace lab2 {

namespace {

#if defined(__AVX512F__)
constexpr int kWidth = 16, kMaxVectors = 4;
#elif defined(__AVX__)
constexpr int kWidth = 8, kMaxVectors = 2;
#else
constexpr int kWidth = 4, kMaxVectors = 2;
#endif
constexpr int kMaxRows = 6;  // kMaxRows x kMaxVectors sums, the weights and one value fit the registers
using Vector = float __attribute__((vector_size(kWidth * sizeof(float)), aligned(4), may_alias));

// c[r][j] (+)= sum over segments s and t < length of a[r * a_row + s * a_segment + t * a_step]
//                                                  * b[s * b_segment + t * b_step + j]
struct Product {
  const float *a, *b;
  float* c;
  int64_t a_row, a_step, a_segment, b_step, b_segment, c_row;
  int segments, length;
  bool accumulate;
};

template <int Rows, int Vectors>
void tile(const Product& p, int columns) {
  Vector sums[Rows][Vectors] = {};
  for (int s = 0; s < p.segments; ++s) {
    const float *a = p.a + s * p.a_segment, *b = p.b + s * p.b_segment;
    for (int t = 0; t < p.length; ++t, a += p.a_step, b += p.b_step) {
      Vector right[Vectors];
      for (int v = 0; v < Vectors; ++v) {
        right[v] = *reinterpret_cast<const Vector*>(b + v * kWidth);
      }
#pragma GCC unroll 6
      for (int r = 0; r < Rows; ++r) {
        for (int v = 0; v < Vectors; ++v) {
          sums[r][v] += a[r * p.a_row] * right[v];
        }
      }
    }
  }
  for (int r = 0; r < Rows; ++r) {
    float* c = p.c + r * p.c_row;
    for (int v = 0; v < Vectors; ++v) {
      for (int j = 0; j < kWidth && v * kWidth + j < columns; ++j) {
        const float sum = sums[r][v][j];
        c[v * kWidth + j] = p.accumulate ? c[v * kWidth + j] + sum : sum;
      }
    }
  }
}

template <int Vectors>
void rows_of_tiles(Product p, int rows, int columns) {
  static constexpr auto kTiles = []<size_t... R>(std::index_sequence<R...>) {
    return std::array<void (*)(const Product&, int), sizeof...(R)>{tile<R + 1, Vectors>...};
  }
  (std::make_index_sequence<kMaxRows>());
  for (int done = 0; done < rows;) {
    const int now = std::min(rows - done, kMaxRows);
    kTiles[static_cast<size_t>(now - 1)](p, columns);
    p.a += now * p.a_row;
    p.c += now * p.c_row;
    done += now;
  }
}

// b has columns rounded up to whole vectors; c has `columns`.
void multiply(Product p, int rows, int columns) {
  for (int done = 0; done < columns;) {
    const int left = columns - done, vectors = (left + kWidth - 1) / kWidth;
    const int now = vectors >= 4 && kMaxVectors == 4 ? 4 : vectors >= 2 ? 2 : 1;
    switch (now) {
      case 4: rows_of_tiles<kMaxVectors>(p, rows, left); break;
      case 2: rows_of_tiles<2>(p, rows, left); break;
      default: rows_of_tiles<1>(p, rows, left);
    }
    done += now * kWidth;
    p.b += now * kWidth;
    p.c += now * kWidth;
  }
}

using Scratch = std::vector<float>;

int whole_vectors(int columns) { return (columns + kWidth - 1) / kWidth * kWidth; }

// The rows of a matrix, each filled up with zeros to whole vectors; the matrix itself where it has them already.
const float* filled(const float* from, int64_t rows, int columns, Scratch& scratch) {
  const int wide = whole_vectors(columns);
  if (wide == columns) {
    return from;
  }
  scratch.assign(static_cast<size_t>(rows * wide), 0.0F);
  for (int64_t row = 0; row < rows; ++row) {
    std::copy_n(from + row * columns, columns, scratch.data() + row * wide);
  }
  return scratch.data();
}

// One image in a canvas of zeros: pixel (i, j) comes to (offset + i * spread, offset + j * spread), if that is inside.
void place(const float* image, int h, int w, int c, int offset, int spread, int canvas_h, int canvas_w,
           Scratch& canvas) {
  canvas.assign(static_cast<size_t>(canvas_h) * canvas_w * c, 0.0F);
  for (int i = 0; i < h; ++i) {
    for (int j = 0; j < w; ++j) {
      const int row = offset + i * spread, column = offset + j * spread;
      if (row >= 0 && row < canvas_h && column >= 0 && column < canvas_w) {
        std::copy_n(image + (int64_t{i} * w + j) * c, c, canvas.data() + (int64_t{row} * canvas_w + column) * c);
      }
    }
  }
}

// y[oh, ow] for all windows of a canvas with a border already in place. w: k x k x ci rows of whole vectors.
void windows(const float* canvas, int canvas_w, int ci, const float* w, int k, int stride, int oh, int ow, int co,
             float* y) {
  const int wide = whole_vectors(co);
  for (int row = 0; row < oh; ++row) {
    multiply({.a = canvas + int64_t{row} * stride * canvas_w * ci,
              .b = w,
              .c = y + int64_t{row} * ow * co,
              .a_row = int64_t{stride} * ci,
              .a_step = 1,
              .a_segment = int64_t{canvas_w} * ci,
              .b_step = wide,
              .b_segment = int64_t{k} * ci * wide,
              .c_row = co,
              .segments = k,
              .length = k * ci,
              .accumulate = false},
             ow, co);
  }
}

// dx is a convolution too: of dy, spread out by the stride, with the filter turned by 180 degrees and its channels
// swapped.
void turn(const ConvShape& s, const float* w, Scratch& turned) {
  const int taps = s.k * s.k, wide = whole_vectors(s.ci);
  turned.assign(static_cast<size_t>(taps) * s.co * wide, 0.0F);
  for (int tap = 0; tap < taps; ++tap) {
    for (int ci = 0; ci < s.ci; ++ci) {
      const float* from = w + (int64_t{tap} * s.ci + ci) * s.co;
      float* to = turned.data() + int64_t{taps - 1 - tap} * s.co * wide + ci;
      for (int co = 0; co < s.co; ++co) {
        to[int64_t{co} * wide] = from[co];
      }
    }
  }
}

// dw of one image, added to what is there: row (kh, kw, ci) of dw is the product of a shifted image and dy.
void add_weight_gradient(const ConvShape& s, const float* canvas, int canvas_w, const float* dy, float* dw) {
  const int ow = out_w(s), wide = whole_vectors(s.co);
  for (int kh = 0; kh < s.k; ++kh) {
    multiply({.a = canvas + int64_t{kh} * canvas_w * s.ci,
              .b = dy,
              .c = dw + int64_t{kh} * s.k * s.ci * s.co,
              .a_row = 1,
              .a_step = int64_t{s.stride} * s.ci,
              .a_segment = int64_t{s.stride} * canvas_w * s.ci,
              .b_step = wide,
              .b_segment = int64_t{ow} * wide,
              .c_row = s.co,
              .segments = out_h(s),
              .length = ow,
              .accumulate = true},
             s.k * s.ci, s.co);
  }
}

}  // namespace

void conv2d_forward(const ConvShape& s, const float* x, const float* w, float* y) {
  thread_local Scratch canvas, weights;
  const float* packed = filled(w, int64_t{s.k} * s.k * s.ci, s.co, weights);
  const int high = s.h + 2 * s.pad, wide = s.w + 2 * s.pad;
  for (int n = 0; n < s.n; ++n) {
    place(x + int64_t{n} * s.h * s.w * s.ci, s.h, s.w, s.ci, s.pad, 1, high, wide, canvas);
    windows(canvas.data(), wide, s.ci, packed, s.k, s.stride, out_h(s), out_w(s), s.co,
            y + int64_t{n} * out_h(s) * out_w(s) * s.co);
  }
}

void conv2d_backward(const ConvShape& s, const float* x, const float* w, const float* dy, float* dx, float* dw) {
  thread_local Scratch canvas, turned, gradient;
  const int high = s.h + 2 * s.pad, wide = s.w + 2 * s.pad, pixels = out_h(s) * out_w(s);
  std::fill_n(dw, int64_t{s.k} * s.k * s.ci * s.co, 0.0F);
  if (dx != nullptr) {
    turn(s, w, turned);
  }
  for (int n = 0; n < s.n; ++n) {
    const float* own_dy = dy + int64_t{n} * pixels * s.co;
    place(x + int64_t{n} * s.h * s.w * s.ci, s.h, s.w, s.ci, s.pad, 1, high, wide, canvas);
    add_weight_gradient(s, canvas.data(), wide, filled(own_dy, pixels, s.co, gradient), dw);
    if (dx != nullptr) {
      place(own_dy, out_h(s), out_w(s), s.co, s.k - 1 - s.pad, s.stride, s.h + s.k - 1, s.w + s.k - 1, canvas);
      windows(canvas.data(), s.w + s.k - 1, s.co, turned.data(), s.k, 1, s.h, s.w, s.ci,
              dx + int64_t{n} * s.h * s.w * s.ci);
    }
  }
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
