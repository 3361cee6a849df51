#include "simulator/isa/ops/multimem.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_multimem(VariantSink& out) { add_all(out, MultimemOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
