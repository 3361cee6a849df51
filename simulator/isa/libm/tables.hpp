#pragma once
// The functions of libdevice, compiled once: they are scalar, so a wider vector ISA would gain nothing.
#include "simulator/isa/variant_sink.hpp"

namespace hpml::sim::isa {

void append_math_functions(VariantSink& out);
void append_intrinsic_functions(VariantSink& out);

}  // namespace hpml::sim::isa
