#pragma once
// Products of floating-point matrices as tensor cores add them (exec/tensor_sums.hpp).
#include "simulator/exec/detail/matrix_math.hpp"

namespace hpml::sim::exec {

// `columns`: products that are added at once. `fraction_bits`: kept behind the largest term. `result_bits`: kept of the
// fraction of an f32 result.
struct SumSteps {
  int columns, fraction_bits, result_bits = 23;
};

void multiply_floats(const isa::MatrixForm& form, const SumSteps& steps, MatrixValues& values);

// mma on e4m3 and e5m2 where the GPU has no instruction for it: two products of f16 and an addition.
void multiply_f8_as_f16(const isa::MatrixForm& form, const TensorSums& rules, MatrixValues& values);
// wmma with c and d of different types where the GPU has no instruction for it: a product of f32 and conversions.
void multiply_mixed_by_f32(const isa::MatrixForm& form, const SumSteps& steps, MatrixValues& values);
// mma.m8n8k4 on f16 where the GPU has no instruction for it: fused multiply-adds in f32.
void multiply_quad_by_fma(const isa::MatrixForm& form, MatrixValues& values);

}  // namespace hpml::sim::exec
