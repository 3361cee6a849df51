#pragma once
// d = a * b + c on matrices of raw element bits.
#include <cstdint>
#include <vector>

#include "simulator/isa/matrix/form.hpp"
#include "simulator/isa/types.hpp"

namespace hpml::sim::exec {

struct MatrixValues {
  // a by rows, b by columns (both contiguous along k), c and d by rows: raw bits of the form's element types.
  std::vector<uint64_t> a, b, c, d;
};

// How tensor cores add floating-point products, which NVIDIA does not document: up to `terms` exact products and the
// sum so far are shifted to the largest exponent among them, cut off (not rounded) behind `fraction_bits`, and added;
// the total is cut off to f32, or rounded to nearest even for an f16 sum. Found by experiment: Fasi, Higham, Mikaitis,
// Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ CS 7:e330, 2021; Xie et al., "MMA-Sim", arXiv 2511.10909.
struct DotRules {
  int terms = 0, fraction_bits = 0;
};
DotRules dot_rules(isa::Element multiplicand);

// `rounding`: of f64 products. `saturate`: .satfinite of integer sums.
void multiply(const isa::MatrixForm& form, isa::Rnd rounding, bool saturate, MatrixValues& values);

}  // namespace hpml::sim::exec
