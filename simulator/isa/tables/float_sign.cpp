#include "simulator/isa/ops/float_sign.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_float_sign(VariantSink& out) { add_all(out, FloatSignOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
