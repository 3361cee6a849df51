#pragma once
// Panels: the right-hand side of a product, copied so that one tile reads it from end to end. A panel is `depth` rows
// of `width` floats; columns past the matrix are zero, so tiles may read them.
#include <algorithm>
#include <cstdint>

namespace hpml::nn::gemm {

// panel[k][j] = matrix[k * row_step + j * column_step] for k < depth, j < columns; one of the steps is 1.
inline void pack_panel(const float* matrix, int64_t row_step, int64_t column_step, int64_t depth, int64_t columns,
                       int64_t width, float* panel) {
  if (columns < width) {
    std::fill_n(panel, depth * width, 0.0F);
  }
  if (column_step == 1) {
    for (int64_t k = 0; k < depth; ++k) {
      std::copy_n(matrix + k * row_step, columns, panel + k * width);
    }
    return;
  }
  for (int64_t j = 0; j < columns; ++j) {  // along the rows of memory
    for (int64_t k = 0; k < depth; ++k) {
      panel[k * width + j] = matrix[k * row_step + j * column_step];
    }
  }
}

}  // namespace hpml::nn::gemm
