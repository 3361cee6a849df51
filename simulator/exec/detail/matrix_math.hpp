#pragma once
// d = a * b + c on matrices of raw element bits.
#include <cstdint>
#include <vector>

#include "simulator/exec/tensor_sums.hpp"
#include "simulator/isa/matrix/form.hpp"
#include "simulator/isa/types.hpp"

namespace hpml::sim::exec {

struct MatrixValues {
  // a by rows, b by columns (both contiguous along k), c and d by rows: raw bits of the form's element types.
  std::vector<uint64_t> a, b, c, d;
  // Sparse forms: the row of b that each element of a meets.
  std::vector<uint16_t> kept;
  // Scaled forms: raw bits of the factors, [row of a][block] and [column of b][block].
  std::vector<uint8_t> scale_a, scale_b;
};

// The column of b that row `row` of a meets: all of it, or what a sparse row has kept.
template <class T>
const T* met_by(const isa::MatrixForm& form, const MatrixValues& v, size_t row, const T* column, std::vector<T>& kept) {
  if (!form.sparse) {
    return column;
  }
  const size_t count = form.columns_a();
  kept.resize(count);
  for (size_t t = 0; t < count; ++t) {
    kept[t] = column[v.kept[row * count + t]];
  }
  return kept.data();
}

// `rules`: of floating-point sums. `rounding`: of f64 products. `saturate`: .satfinite of integer sums.
void multiply(const isa::MatrixForm& form, const TensorSums& rules, isa::Rnd rounding, bool saturate,
              MatrixValues& values);

}  // namespace hpml::sim::exec
