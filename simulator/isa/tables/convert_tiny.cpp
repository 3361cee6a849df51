#include "simulator/isa/ops/convert_tiny.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_convert_tiny(VariantSink& out) { add_all(out, ConvertTinyOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
