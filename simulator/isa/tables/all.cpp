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
  every_level::append_float_packed(out);
  append_float_sign(out);
  append_approx(out);
  append_compare(out);
  append_logic_shift(out);
  append_move(out);
  append_convert_int(out);
  append_convert_to_int(out);
  append_convert_to_float(out);
  append_convert_half(out);
  every_level::append_convert_tiny(out);
  append_half_arith(out);
  every_level::append_half_approx(out);
  append_half_compare(out);
  every_level::append_video(out);
  every_level::append_video_simd(out);
  append_memory(out);
  append_atomics(out);
  every_level::append_sync(out);
  append_warp(out);
  every_level::append_control(out);
  every_level::append_async_copy(out);
  every_level::append_mbarrier(out);
  every_level::append_hints(out);
  every_level::append_stack(out);
  every_level::append_multimem(out);
  every_level::append_tensor_copy(out);
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
