#pragma once
// The op chapters, each compiled in a unit of its own. Those in which programs spend time are compiled once per vector ISA
// level (HPML_SIMD_LEVEL, see CMakeLists.txt); the others, for the baseline only, serve every level.
#include "simulator/isa/lane_loop.hpp"
#include "simulator/isa/variant_sink.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_int_arith(VariantSink& out);
void append_packed_int(VariantSink& out);
void append_extended(VariantSink& out);
void append_bit_field(VariantSink& out);
void append_float_arith(VariantSink& out);
void append_float_sign(VariantSink& out);
void append_approx(VariantSink& out);
void append_compare(VariantSink& out);
void append_logic_shift(VariantSink& out);
void append_move(VariantSink& out);
void append_convert_int(VariantSink& out);
void append_convert_to_int(VariantSink& out);
void append_convert_to_float(VariantSink& out);
void append_convert_half(VariantSink& out);
void append_half_arith(VariantSink& out);
void append_half_compare(VariantSink& out);
void append_memory(VariantSink& out);
void append_atomics(VariantSink& out);
void append_warp(VariantSink& out);

}  // HPML_SIMD_NS

namespace every_level {

void append_float_packed(VariantSink& out);
void append_convert_tiny(VariantSink& out);
void append_half_approx(VariantSink& out);
void append_video(VariantSink& out);
void append_video_simd(VariantSink& out);
void append_sync(VariantSink& out);
void append_control(VariantSink& out);
void append_async_copy(VariantSink& out);
void append_mbarrier(VariantSink& out);
void append_hints(VariantSink& out);
void append_stack(VariantSink& out);
void append_multimem(VariantSink& out);
void append_tensor_copy(VariantSink& out);

}  // namespace every_level
}  // namespace hpml::sim::isa
