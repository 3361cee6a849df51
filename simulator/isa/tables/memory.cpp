#include "simulator/isa/ops/memory.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_memory(VariantSink& out) { add_all(out, MemoryOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
