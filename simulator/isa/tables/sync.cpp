#include "simulator/isa/ops/sync.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_sync(VariantSink& out) { add_all(out, SyncOps{}); }

}  // namespace hpml::sim::isa::every_level
