#include "simulator/isa/ops/hints.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_hints(VariantSink& out) { add_all(out, HintOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
