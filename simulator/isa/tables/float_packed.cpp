#include "simulator/isa/ops/float_packed.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_float_packed(VariantSink& out) { add_all(out, FloatPackedOps{}); }

}  // namespace hpml::sim::isa::every_level
