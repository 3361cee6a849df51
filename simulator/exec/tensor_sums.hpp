#pragma once
// How the tensor cores of a GPU add floating-point products. NVIDIA does not document it; found by experiment: Fasi,
// Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ CS 7:e330, 2021; Xie, Wang, Yang, Yang,
// "MMA-Sim", arXiv 2511.10909.
#include <cstdint>

namespace hpml::sim::exec {

// As many exact products as fit `row_bytes` of a's row, and the sum so far, are shifted to the largest exponent among
// them, cut off (not rounded) behind `fraction_bits`, and added; the total is cut off to f32, or rounded to nearest
// even where the sum is f16. The other members say which forms a chip adds differently. The default is Ampere's, the
// first with f16, bf16 and tf32.
struct TensorSums {
  uint32_t row_bytes = 16, fraction_bits = 24;
  uint32_t warpgroup_f8_fraction_bits = 24;  // wgmma on e4m3 and e5m2 keeps as many, its f32 results no more (23 at most)
  uint32_t wmma_tf32_columns = 4;            // wmma on tf32 adds no more products at once
  bool f8_as_f16 = false;                    // mma on e4m3 and e5m2 is made of mma on f16
  bool quads_by_fma = false;                 // mma.m8n8k4 on f16 is made of fused multiply-adds
};

}  // namespace hpml::sim::exec
