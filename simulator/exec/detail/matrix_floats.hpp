#pragma once
// Products of floating-point matrices as tensor cores add them (exec/tensor_sums.hpp).
#include "simulator/exec/detail/matrix_math.hpp"

namespace hpml::sim::exec {

// `columns` of a are added at once, behind the largest term `fraction_bits` are kept, of an f32 result `result_bits`.
struct SumSteps {
  int columns, fraction_bits, result_bits = 23;
};

void multiply_floats(const isa::MatrixForm& form, const SumSteps& steps, MatrixValues& values);

// The same products where a GPU has no tensor-core instruction for a form and ptxas makes it of others.
// mma on e4m3 and e5m2: f16 products of half of the columns each, and an addition.
void multiply_f8_as_f16(const isa::MatrixForm& form, const TensorSums& rules, MatrixValues& values);
// mma.m8n8k4 on f16: fused multiply-adds in f32.
void multiply_quad_by_fma(const isa::MatrixForm& form, MatrixValues& values);

}  // namespace hpml::sim::exec
