// All op chapters of one vector ISA level.
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void build_variants(VariantSink& out) {
  append_int_arith(out);
  append_packed_int(out);
  append_extended(out);
  append_bit_field(out);
  append_float_arith(out);
  baseline::append_float_packed(out);
  append_float_sign(out);
  append_approx(out);
  append_compare(out);
  append_logic_shift(out);
  append_move(out);
  append_convert_int(out);
  append_convert_to_int(out);
  append_convert_to_float(out);
  append_convert_half(out);
  baseline::append_convert_tiny(out);
  append_half_arith(out);
  baseline::append_half_approx(out);
  append_half_compare(out);
  baseline::append_video(out);
  baseline::append_video_simd(out);
  append_memory(out);
  append_atomics(out);
  baseline::append_sync(out);
  append_warp(out);
  baseline::append_control(out);
  baseline::append_async_copy(out);
  baseline::append_mbarrier(out);
  baseline::append_hints(out);
  baseline::append_stack(out);
  baseline::append_multimem(out);
  baseline::append_tensor_copy(out);
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
