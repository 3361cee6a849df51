#include "simulator/isa/ops/hints.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_hints(VariantSink& out) { add_all(out, HintOps{}); }

}  // namespace hpml::sim::isa::every_level
