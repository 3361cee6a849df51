#include "simulator/isa/ops/video.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_video(VariantSink& out) { add_all(out, VideoOps{}); }

}  // namespace hpml::sim::isa::every_level
