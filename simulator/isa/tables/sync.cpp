#include "simulator/isa/ops/sync.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_sync(VariantSink& out) { add_all(out, SyncOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
