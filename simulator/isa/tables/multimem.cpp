#include "simulator/isa/ops/multimem.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_multimem(VariantSink& out) { add_all(out, MultimemOps{}); }

}  // namespace hpml::sim::isa::every_level
