#include "simulator/isa/ops/video_simd.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_video_simd(VariantSink& out) { add_all(out, VideoSimdOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
