#include "simulator/isa/ops/mbarrier.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_mbarrier(VariantSink& out) { add_all(out, MbarrierOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
