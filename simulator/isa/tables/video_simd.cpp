#include "simulator/isa/ops/video_simd.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_video_simd(VariantSink& out) { add_all(out, VideoSimdOps{}); }

}  // namespace hpml::sim::isa::every_level
