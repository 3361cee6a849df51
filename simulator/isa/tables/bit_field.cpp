#include "simulator/isa/ops/bit_field.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_bit_field(VariantSink& out) { add_all(out, BitFieldOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
