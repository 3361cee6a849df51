#include "simulator/isa/ops/stack.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_stack(VariantSink& out) { add_all(out, StackOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
