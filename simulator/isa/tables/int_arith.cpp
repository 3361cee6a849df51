#include "simulator/isa/ops/int_arith.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_int_arith(VariantSink& out) { add_all(out, IntArithOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
