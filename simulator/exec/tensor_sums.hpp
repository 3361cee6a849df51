#pragma once
// How the tensor cores of a GPU add floating-point products. NVIDIA does not document it; found by experiment: Fasi,
// Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ CS 7:e330, 2021; Xie, Wang, Yang, Yang,
// "MMA-Sim", arXiv 2511.10909.
#include <cstdint>

namespace hpml::sim::exec {

// As many exact products as fit `row_bytes` of a's row, and the sum so far, are shifted to the largest exponent among
// them, cut off (not rounded) behind `fraction_bits`, and added; the total is cut off to f32, or rounded to nearest
// even where the sum is f16. The default is Ampere's, the first with f16, bf16 and tf32.
struct TensorSums {
  uint32_t row_bytes = 16, fraction_bits = 24;
};

}  // namespace hpml::sim::exec
