#include "simulator/isa/ops/video.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_video(VariantSink& out) { add_all(out, VideoOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
