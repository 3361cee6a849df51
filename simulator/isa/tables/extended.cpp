#include "simulator/isa/ops/extended.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_extended(VariantSink& out) { add_all(out, ExtendedOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
