#include "common/nn/gemm/matmul.hpp"

#include "common/nn/gemm/panel.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn::gemm {

namespace {

constexpr int64_t kDepth = 512;       // rows of a panel: 128 KiB with 64 columns
constexpr int64_t kMinimumRows = 48;  // of a task

struct Product {
  const Isa& isa;
  const MatMul& shape;
  const float *a, *b;
  float* c;
  int vectors;
  int64_t width;

  // Columns first .. first + width - 1 of rows `rows`.
  void run(int64_t first, Range rows, float* panel) const {
    const int64_t columns = std::min(width, shape.n - first);
    for (int64_t k = 0; k < shape.k; k += kDepth) {
      const int64_t depth = std::min(kDepth, shape.k - k);
      if (!shape.transpose_b && shape.n == width) {  // b is a panel as it lies
        run_tiles(first, columns, rows, k, depth, b + k * shape.n);
        continue;
      }
      if (shape.transpose_b) {
        pack_panel(b + first * shape.k + k, 1, shape.k, depth, columns, width, panel);
      } else {
        pack_panel(b + k * shape.n + first, shape.n, 1, depth, columns, width, panel);
      }
      run_tiles(first, columns, rows, k, depth, panel);
    }
  }

  void run_tiles(int64_t first, int64_t columns, Range rows, int64_t k, int64_t depth, const float* panel) const {
    const int64_t row_step = shape.transpose_a ? 1 : shape.k, k_step = shape.transpose_a ? shape.m : 1;
    const Segment segment{k * k_step, panel};
    Tile tile{};
    tile.a_step = k_step;
    tile.b_step = width;
    tile.length = depth;
    tile.segments = &segment;
    tile.segment_count = 1;
    tile.columns = static_cast<int>(columns);
    tile.accumulate = shape.accumulate || k > 0;
    for (int64_t row = rows.begin; row < rows.end;) {
      const TileForm& form = isa.form(rows.end - row, vectors);
      for (int r = 0; r < form.rows; ++r, ++row) {
        tile.a[r] = a + row * row_step;
        tile.c[r] = c + row * shape.n + first;
      }
      form.run(tile);
    }
  }
};

}  // namespace

void matmul(const Isa& isa, const MatMul& shape, const float* a, const float* b, float* c, ThreadPool& pool) {
  if (shape.m <= 0 || shape.n <= 0) {
    return;
  }
  if (shape.k <= 0) {
    std::fill_n(c, shape.accumulate ? 0 : shape.m * shape.n, 0.0F);
    return;
  }
  const int vectors = isa.vectors_for(shape.n);
  const Product product{isa, shape, a, b, c, vectors, int64_t{vectors} * isa.width};
  const int64_t blocks = (shape.n + product.width - 1) / product.width;
  const int64_t row_parts = std::clamp<int64_t>(std::min(kSlices / blocks, shape.m / kMinimumRows), 1, kSlices);
  pool.run(static_cast<int>(blocks * row_parts), [&](int task, float* scratch) {
    const Range rows = part(shape.m, static_cast<int>(task % row_parts), static_cast<int>(row_parts));
    product.run(task / row_parts * product.width, rows, scratch);
  });
}

}  // namespace hpml::nn::gemm
