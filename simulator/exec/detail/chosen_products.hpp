#pragma once
// Products of a matrix instruction that count twice because a key chooses them: Launch::chosen_products.
#include <cstdint>

#include "simulator/exec/detail/matrix_math.hpp"

namespace hpml::sim::exec {

// d += the sums of those four products, of the columns 4i to 4i+3 of a and the rows 4i to 4i+3 of b, that the key
// chooses by their factors, as it chooses those of dp4a (ptx/perturb.hpp). Two results that share a row or a column do
// not share the choice, so it takes a product for each to find out. Elements that are not bytes, and sparse matrices,
// have none.
void add_chosen_products(const isa::MatrixForm& form, uint64_t key, MatrixValues& values);

}  // namespace hpml::sim::exec
