#include "simulator/isa/ops/packed_int.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_packed_int(VariantSink& out) { add_all(out, PackedIntOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
