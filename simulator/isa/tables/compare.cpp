#include "simulator/isa/ops/compare.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_compare(VariantSink& out) { add_all(out, CompareOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
