#include "simulator/isa/ops/control.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_control(VariantSink& out) { add_all(out, ControlOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
