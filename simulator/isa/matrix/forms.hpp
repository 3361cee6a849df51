#pragma once
// The forms of mma, wmma, ldmatrix, stmatrix and movmatrix. They have no lane loop, so one table serves all vector ISA
// levels.
#include "simulator/isa/variant_sink.hpp"

namespace hpml::sim::isa {

void append_matrix(VariantSink& out);

}  // namespace hpml::sim::isa
