#include "simulator/isa/ops/move.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_move(VariantSink& out) { add_all(out, MoveOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
