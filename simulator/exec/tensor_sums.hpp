#pragma once
// How the tensor cores of a GPU add floating-point products. NVIDIA does not document it; found by experiment: Fasi,
// Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ CS 7:e330, 2021; Xie, Wang, Yang, Yang,
// "MMA-Sim", arXiv 2511.10909.
#include <cstdint>

namespace hpml::sim::exec {

// As many exact products as fit `row_bytes` of a's row, and the sum so far, are shifted to the largest exponent among
// them, cut off (not rounded) behind `fraction_bits`, and added; the total is cut off to f32, or rounded to nearest
// even where the sum is f16. The members behind these two name the forms that a chip adds differently. The default is
// Ampere's rule for the tensor cores: Ampere is the first chip with f16, bf16 and tf32.
struct TensorSums {
  uint32_t row_bytes = 16, fraction_bits = 24;
  // In place of fraction_bits for wgmma on e4m3 and e5m2. An f32 result is cut off behind as many bits, at most 23.
  uint32_t warpgroup_f8_fraction_bits = 24;
  uint32_t wmma_tf32_columns = 4;  // wmma on tf32 adds at most so many products at once
  bool f8_as_f16 = false;          // ptxas makes mma on e4m3 and e5m2 of two mma on f16 and an addition
  bool quads_by_fma = false;       // ptxas makes mma.m8n8k4 on f16 of fused multiply-adds
  bool mixed_by_f32 = true;        // ptxas makes wmma with c and d of different types of f32 products and conversions
};

}  // namespace hpml::sim::exec
