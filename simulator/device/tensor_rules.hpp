#pragma once
// How the tensor cores of a GPU add, from the GPU's file.
#include "simulator/exec/tensor_sums.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::device {

inline exec::TensorSums tensor_rules(const timing::TensorRates& tensor) {
  return {
      .row_bytes = tensor.sum_row_bytes,
      .fraction_bits = tensor.sum_fraction_bits,
      .warpgroup_f8_fraction_bits = tensor.warpgroup_f8_fraction_bits,
      .wmma_tf32_columns = tensor.wmma_tf32_columns,
      .f8_as_f16 = tensor.f8_as_f16,
      .quads_by_fma = tensor.quads_by_fma,
      .mixed_by_f32 = tensor.mixed_by_f32,
  };
}

}  // namespace hpml::sim::device
