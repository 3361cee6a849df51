#include "simulator/isa/ops/float_packed.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_float_packed(VariantSink& out) { add_all(out, FloatPackedOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
