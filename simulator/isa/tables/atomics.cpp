#include "simulator/isa/ops/atomics.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_atomics(VariantSink& out) { add_all(out, AtomicOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
