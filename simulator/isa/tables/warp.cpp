#include "simulator/isa/ops/warp.hpp"

#include "simulator/isa/ops/image.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_warp(VariantSink& out) {
  add_all(out, WarpOps{});
  add_all(out, ImageOps{});
  add_surface_reductions(out);
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
