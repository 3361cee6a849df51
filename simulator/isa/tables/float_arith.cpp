#include "simulator/isa/ops/float_arith.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_float_arith(VariantSink& out) { add_all(out, FloatArithOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
