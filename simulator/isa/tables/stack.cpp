#include "simulator/isa/ops/stack.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_stack(VariantSink& out) { add_all(out, StackOps{}); }

}  // namespace hpml::sim::isa::every_level
