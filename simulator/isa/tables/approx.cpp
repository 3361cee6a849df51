#include "simulator/isa/ops/approx.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_approx(VariantSink& out) { add_all(out, ApproxOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
