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
constexpr int kMaxRows = 6;           // kMaxRows x kMaxVectors sums, the weights and one value fit the registers
constexpr int64_t kCanvas = 1 << 17;  // floats
using Vector = float __attribute__((vector_size(kWidth * sizeof(float)), aligned(4), may_alias));

// c[r][j] (+)= sum over segments s and t < length of a[rows[r] + segments[s] + t * a_step]
//                                                  * b[(s * length + t) * b_step + j]
struct Product {
  const float *a, *b;
  float* c;
  const int64_t *rows, *segments;
  int64_t a_step, b_step, c_row;
  int segment_count, length;
  bool accumulate;
};

template <int Rows, int Vectors>
void tile(const Product& p, int columns) {
  Vector sums[Rows][Vectors] = {};
  const float* b = p.b;
  for (int s = 0; s < p.segment_count; ++s) {
    const float* a[Rows];
    for (int r = 0; r < Rows; ++r) {
      a[r] = p.a + p.rows[r] + p.segments[s];
    }
    for (int64_t t = 0; t < p.length * p.a_step; t += p.a_step, b += p.b_step) {
      Vector right[Vectors];
      for (int v = 0; v < Vectors; ++v) {
        right[v] = *reinterpret_cast<const Vector*>(b + v * kWidth);
      }
#pragma GCC unroll 12
      for (int r = 0; r < Rows; ++r) {
        for (int v = 0; v < Vectors; ++v) {
          sums[r][v] += a[r][t] * right[v];
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
    p.rows += now;
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

// Images with zeros around and between their pixels: pixel (i, j) of one comes to (offset + i * spread,
// offset + j * spread) of its part of the canvas, if that is inside.
struct Canvas {
  int h, w, c;
  int64_t image() const { return int64_t{h} * w * c; }
};
void place(const float* images, int count, int h, int w, int offset, int spread, const Canvas& canvas,
           Scratch& scratch) {
  scratch.assign(static_cast<size_t>(count * canvas.image()), 0.0F);
  for (int n = 0; n < count; ++n) {
    for (int i = 0; i < h; ++i) {
      for (int j = 0; j < w; ++j) {
        const int row = offset + i * spread, column = offset + j * spread;
        if (row >= 0 && row < canvas.h && column >= 0 && column < canvas.w) {
          std::copy_n(images + ((int64_t{n} * h + i) * w + j) * canvas.c, canvas.c,
                      scratch.data() + n * canvas.image() + (int64_t{row} * canvas.w + column) * canvas.c);
        }
      }
    }
  }
}

// So many images at once that their canvas stays in the cache: weights are read once for all of them.
int images_at_once(const Canvas& canvas) { return static_cast<int>(std::max<int64_t>(1, kCanvas / canvas.image())); }

// Where the windows of `count` images begin.
std::vector<int64_t> corners(const Canvas& canvas, int count, int oh, int ow, int stride) {
  std::vector<int64_t> offsets;
  for (int n = 0; n < count; ++n) {
    for (int i = 0; i < oh; ++i) {
      for (int j = 0; j < ow; ++j) {
        offsets.push_back(n * canvas.image() + (int64_t{i} * canvas.w + j) * stride * canvas.c);
      }
    }
  }
  return offsets;
}

// y for all windows of a canvas. w: k x k x canvas.c rows of whole vectors.
void windows(const float* from, const Canvas& canvas, int count, const float* w, int k, int stride, int oh, int ow,
             int co, float* y) {
  const std::vector<int64_t> rows = corners(canvas, count, oh, ow, stride);
  std::vector<int64_t> filter_rows;
  for (int i = 0; i < k; ++i) {
    filter_rows.push_back(int64_t{i} * canvas.w * canvas.c);
  }
  multiply({.a = from,
            .b = w,
            .c = y,
            .rows = rows.data(),
            .segments = filter_rows.data(),
            .a_step = 1,
            .b_step = whole_vectors(co),
            .c_row = co,
            .segment_count = k,
            .length = k * canvas.c,
            .accumulate = false},
           static_cast<int>(rows.size()), co);
}

// dx is a convolution too: of dy, spread out by the stride, with the filter turned by 180 degrees and its channels
// swapped.
void turn(const ConvShape& s, const float* w, Scratch& turned) {
  constexpr int kBlock = 16;  // both sides of a transposed block are whole cache lines
  const int taps = s.k * s.k, wide = whole_vectors(s.ci);
  turned.resize(static_cast<size_t>(taps) * s.co * wide);
  if (wide != s.ci) {
    std::fill(turned.begin(), turned.end(), 0.0F);
  }
  for (int tap = 0; tap < taps; ++tap) {
    const float* from = w + int64_t{tap} * s.ci * s.co;
    float* to = turned.data() + int64_t{taps - 1 - tap} * s.co * wide;
    for (int block = 0; block < s.ci; block += kBlock) {
      for (int co = 0; co < s.co; ++co) {
        for (int ci = block; ci < std::min(block + kBlock, s.ci); ++ci) {
          to[int64_t{co} * wide + ci] = from[int64_t{ci} * s.co + co];
        }
      }
    }
  }
}

// dw of some images, added to what is there if asked for: row (kh, kw, ci) of dw is the product of shifted images and
// dy.
void add_weight_gradient(const ConvShape& s, const float* from, const Canvas& canvas, int count, const float* dy,
                         bool accumulate, float* dw) {
  const std::vector<int64_t> image_rows = corners(canvas, count, out_h(s), 1, s.stride);
  std::vector<int64_t> taps;
  for (int kh = 0; kh < s.k; ++kh) {
    for (int i = 0; i < s.k * s.ci; ++i) {
      taps.push_back(int64_t{kh} * canvas.w * s.ci + i);
    }
  }
  multiply({.a = from,
            .b = dy,
            .c = dw,
            .rows = taps.data(),
            .segments = image_rows.data(),
            .a_step = int64_t{s.stride} * s.ci,
            .b_step = whole_vectors(s.co),
            .c_row = s.co,
            .segment_count = static_cast<int>(image_rows.size()),
            .length = out_w(s),
            .accumulate = accumulate},
           static_cast<int>(taps.size()), s.co);
}

}  // namespace

void conv2d_forward(const ConvShape& s, const float* x, const float* w, float* y) {
  thread_local Scratch scratch, weights;
  const float* packed = filled(w, int64_t{s.k} * s.k * s.ci, s.co, weights);
  const Canvas canvas{s.h + 2 * s.pad, s.w + 2 * s.pad, s.ci};
  const int64_t image = int64_t{s.h} * s.w * s.ci, out = int64_t{out_h(s)} * out_w(s) * s.co;
  for (int n = 0, count = images_at_once(canvas); n < s.n; n += count) {
    const int now = std::min(count, s.n - n);
    place(x + n * image, now, s.h, s.w, s.pad, 1, canvas, scratch);
    windows(scratch.data(), canvas, now, packed, s.k, s.stride, out_h(s), out_w(s), s.co, y + n * out);
  }
}

void conv2d_backward(const ConvShape& s, const float* x, const float* w, const float* dy, float* dx, float* dw) {
  thread_local Scratch scratch, turned, gradient;
  const Canvas of_x{s.h + 2 * s.pad, s.w + 2 * s.pad, s.ci}, of_dy{s.h + s.k - 1, s.w + s.k - 1, s.co};
  const int64_t image = int64_t{s.h} * s.w * s.ci, pixels = int64_t{out_h(s)} * out_w(s);
  if (dx != nullptr) {
    turn(s, w, turned);
  }
  for (int n = 0, count = std::min(images_at_once(of_x), images_at_once(of_dy)); n < s.n; n += count) {
    const int now = std::min(count, s.n - n);
    const float* own_dy = dy + n * pixels * s.co;
    place(x + n * image, now, s.h, s.w, s.pad, 1, of_x, scratch);
    add_weight_gradient(s, scratch.data(), of_x, now, filled(own_dy, now * pixels, s.co, gradient), n > 0, dw);
    if (dx != nullptr) {
      place(own_dy, now, out_h(s), out_w(s), s.k - 1 - s.pad, s.stride, of_dy, scratch);
      windows(scratch.data(), of_dy, now, turned.data(), s.k, 1, s.h, s.w, s.ci, dx + n * image);
    }
  }
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
