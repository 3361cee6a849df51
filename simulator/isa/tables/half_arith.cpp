#include "simulator/isa/ops/half_arith.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_half_arith(VariantSink& out) { add_all(out, HalfOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
