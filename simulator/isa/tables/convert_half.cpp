#include "simulator/isa/ops/convert_half.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_convert_half(VariantSink& out) { add_all(out, ConvertHalfOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
