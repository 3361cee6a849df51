#include "simulator/isa/ops/logic_shift.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_logic_shift(VariantSink& out) { add_all(out, LogicShiftOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
