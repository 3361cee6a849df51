#include "simulator/isa/ops/control.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_control(VariantSink& out) { add_all(out, ControlOps{}); }

}  // namespace hpml::sim::isa::every_level
