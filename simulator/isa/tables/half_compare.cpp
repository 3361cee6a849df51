#include "simulator/isa/ops/half_compare.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_half_compare(VariantSink& out) { add_all(out, HalfCompareOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
