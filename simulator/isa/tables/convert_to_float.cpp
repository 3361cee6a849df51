#include "simulator/isa/ops/convert.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_convert_to_float(VariantSink& out) { add_all(out, ConvertToFloatOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
