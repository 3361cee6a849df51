#pragma once
// Which columns a sparse multiplicand has kept (PTX ISA 9.0, 9.7.14.6.1).
#include <array>
#include <cstdint>
#include <vector>

#include "simulator/isa/matrix/form.hpp"

namespace hpml::sim::exec {

// [row][element of the row]. `metadata`: the register of each lane; `selector` picks the lanes of each four whose
// registers count.
std::vector<uint16_t> kept_columns(const isa::MatrixForm& form, const std::array<uint32_t, 32>& metadata,
                                   uint32_t selector);

}  // namespace hpml::sim::exec
