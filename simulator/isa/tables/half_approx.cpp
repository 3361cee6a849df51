#include "simulator/isa/ops/half_approx.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_half_approx(VariantSink& out) { add_all(out, HalfApproxOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
