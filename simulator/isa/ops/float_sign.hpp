#pragma once
// Floating-point instructions on sign and class, f32 and f64 (PTX ISA 9.0, 9.7.3): abs, neg, min, max, testp, copysign.
#include "simulator/isa/ops/fp_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// .xorsign.abs: the magnitudes are compared, the sign is the product's.
template <bool kMax>
inline float min_max_f32(Mods m, float a, float b) {
  const float x = flush_in(m, a), y = flush_in(m, b);
  const uint32_t sign = (bits_of(a) ^ bits_of(b)) & 0x80000000u;
  const float p = m.xorsign_abs ? f32_of(bits_of(x) & 0x7fffffffu) : x;
  const float q = m.xorsign_abs ? f32_of(bits_of(y) & 0x7fffffffu) : y;
  const float r = min_max_value<kMax>(m.nan, p, q);
  return m.xorsign_abs && !is_nan(r) ? f32_of(bits_of(r) | sign) : r;
}

inline constexpr Accept kMinMaxF32 = Accept::ftz | Accept::nan | Accept::xorsign_abs;

struct MinF32 {
  static constexpr Spec spec{.mnemonic = "min",
                             .syntax = "min{.ftz}{.NaN}{.xorsign.abs}.f32 d, a, b",
                             .section = "Floating-Point: min",
                             .accept = kMinMaxF32};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return min_max_f32<false>(m, a, b);
  }
};
struct MaxF32 {
  static constexpr Spec spec{.mnemonic = "max",
                             .syntax = "max{.ftz}{.NaN}{.xorsign.abs}.f32 d, a, b",
                             .section = "Floating-Point: max",
                             .accept = kMinMaxF32};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return min_max_f32<true>(m, a, b);
  }
};
struct MinF64 {
  static constexpr Spec spec{
      .mnemonic = "min", .syntax = "min.f64 d, a, b", .section = "Floating-Point: min", .min_sm = 13};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static T eval(Mods, T a, T b) {
    return min_max_value<false>(false, a, b);
  }
};
struct MaxF64 {
  static constexpr Spec spec{
      .mnemonic = "max", .syntax = "max.f64 d, a, b", .section = "Floating-Point: max", .min_sm = 13};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static T eval(Mods, T a, T b) {
    return min_max_value<true>(false, a, b);
  }
};

// abs and neg are additions to the hardware, so a NaN is canonical; a binary64 one keeps its sign (measured on an H200).
struct AbsF32 {
  static constexpr Spec spec{
      .mnemonic = "abs", .syntax = "abs{.ftz}.f32 d, a", .section = "Floating-Point: abs", .accept = Accept::ftz};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a) {
    return canonical(f32_of(bits_of(flush_in(m, a)) & 0x7fffffffu));
  }
};
struct NegF32 {
  static constexpr Spec spec{
      .mnemonic = "neg", .syntax = "neg{.ftz}.f32 d, a", .section = "Floating-Point: neg", .accept = Accept::ftz};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a) {
    return canonical(f32_of(bits_of(flush_in(m, a)) ^ 0x80000000u));
  }
};
struct AbsF64 {
  static constexpr Spec spec{
      .mnemonic = "abs", .syntax = "abs.f64 d, a", .section = "Floating-Point: abs", .min_sm = 13};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static T eval(Mods, T a) {
    return is_nan(a) ? quieted(a) : f64_of(bits_of(a) & ~(uint64_t{1} << 63));
  }
};
struct NegF64 {
  static constexpr Spec spec{
      .mnemonic = "neg", .syntax = "neg.f64 d, a", .section = "Floating-Point: neg", .min_sm = 13};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static T eval(Mods, T a) {
    return is_nan(a) ? quieted(a) : f64_of(bits_of(a) ^ (uint64_t{1} << 63));
  }
};

// Zeros count as normal numbers.
struct Testp {
  static constexpr Spec spec{.mnemonic = "testp",
                             .syntax = "testp.op.type p, a",
                             .section = "Floating-Point: testp",
                             .accept = Accept::mode,
                             .modes = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"},
                             .min_ptx = 20,
                             .min_sm = 20};
  using types = Types<Ty::f32, Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static bool eval(Mods m, T a) {
    constexpr bool kSingle = sizeof(T) == 4;
    const auto magnitude = bits_of(a) << 1;
    constexpr decltype(magnitude) kInf = kSingle ? 0xff000000u : 0xffe0000000000000u;
    constexpr decltype(magnitude) kNormal = kSingle ? 0x01000000u : 0x0020000000000000u;
    const bool finite = magnitude < kInf, subnormal = magnitude < kNormal && magnitude != 0;
    switch (m.mode) {
      case 0: return finite;
      case 1: return magnitude == kInf;
      case 2: return magnitude <= kInf;
      case 3: return magnitude > kInf;
      case 4: return finite && !subnormal;
      case 5: return subnormal;
    }
    return false;
  }
};
struct Copysign {
  static constexpr Spec spec{.mnemonic = "copysign",
                             .syntax = "copysign.type d, a, b",
                             .section = "Floating-Point: copysign",
                             .min_ptx = 20,
                             .min_sm = 20};
  using types = Types<Ty::f32, Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  template <class T>
  static T eval(Mods, T a, T b) {  // the sign of the first operand
    using U = decltype(bits_of(a));
    constexpr U kSign = U{1} << (8 * sizeof(T) - 1);
    return std::bit_cast<T>((bits_of(a) & kSign) | (bits_of(b) & ~kSign));
  }
};

using FloatSignOps = OpList<MinF32, MaxF32, MinF64, MaxF64, AbsF32, NegF32, AbsF64, NegF64, Testp, Copysign>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
