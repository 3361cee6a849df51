#include "simulator/isa/ops/mbarrier.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_mbarrier(VariantSink& out) { add_all(out, MbarrierOps{}); }

}  // namespace hpml::sim::isa::every_level
