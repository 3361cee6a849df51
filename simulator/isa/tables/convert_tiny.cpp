#include "simulator/isa/ops/convert_tiny.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_convert_tiny(VariantSink& out) { add_all(out, ConvertTinyOps{}); }

}  // namespace hpml::sim::isa::every_level
