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
  append_float_packed(out);
  append_float_sign(out);
  append_approx(out);
  append_compare(out);
  append_logic_shift(out);
  append_move(out);
  append_convert_int(out);
  append_convert_to_int(out);
  append_convert_to_float(out);
  append_convert_half(out);
  append_convert_tiny(out);
  append_half_arith(out);
  append_half_approx(out);
  append_half_compare(out);
  append_video(out);
  append_video_simd(out);
  append_memory(out);
  append_atomics(out);
  append_sync(out);
  append_warp(out);
  append_control(out);
  append_async_copy(out);
  append_mbarrier(out);
  append_hints(out);
  append_stack(out);
  append_multimem(out);
  append_tensor_copy(out);
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
