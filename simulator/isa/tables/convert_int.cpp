#include "simulator/isa/ops/convert.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_convert_int(VariantSink& out) { add_all(out, ConvertIntOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
