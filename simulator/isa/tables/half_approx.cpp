#include "simulator/isa/ops/half_approx.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_half_approx(VariantSink& out) { add_all(out, HalfApproxOps{}); }

}  // namespace hpml::sim::isa::every_level
