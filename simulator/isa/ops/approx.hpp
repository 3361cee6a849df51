#pragma once
// Fast approximations (PTX ISA 9.0, 9.7.3): rcp, sqrt, rsqrt, div, sin, cos, lg2, ex2, tanh with .approx.
// `Spec::approx` is the manual's error bound; ours are within half an ulp or a little more.
#include "simulator/isa/ops/approx_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Compiled once with .ftz and once without: with the flag as a variable GCC vectorises none of the longer loops.
struct PerFlush {
  static constexpr bool kHasDispatch = true;
  template <class With>
  [[gnu::always_inline]] static void dispatch(const Mods& m, With with) {
    return m.ftz ? with(FixedMods<Mods{.ftz = true}>{}) : with(FixedMods<Mods{}>{});
  }
};
struct RcpApprox : PerFlush {
  static constexpr Spec spec{.mnemonic = "rcp",
                             .fixed = "approx",
                             .syntax = "rcp.approx{.ftz}.f32 d, a",
                             .section = "Floating-Point: rcp",
                             .accept = Accept::ftz,
                             .approx = "1 ulp"};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods m, T a) {
    return finish(m, 1.0f / flush_in(m, a));
  }
};
struct SqrtApprox : PerFlush {
  static constexpr Spec spec{.mnemonic = "sqrt",
                             .fixed = "approx",
                             .syntax = "sqrt.approx{.ftz}.f32 d, a",
                             .section = "Floating-Point: sqrt",
                             .accept = Accept::ftz,
                             .approx = "relative 2^-23"};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods m, T a) {
    return finish(m, __builtin_sqrtf(flush_in(m, a)));
  }
};
struct RsqrtApprox : PerFlush {
  static constexpr Spec spec{.mnemonic = "rsqrt",
                             .fixed = "approx",
                             .syntax = "rsqrt.approx{.ftz}.f32 d, a",
                             .section = "Floating-Point: rsqrt",
                             .accept = Accept::ftz,
                             .approx = "relative 2^-22.9"};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods m, T a) {
    return finish(m, static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(flush_in(m, a)))));
  }
};
// Beyond 2^126 the hardware's reciprocal of b is subnormal and lost: the quotient is 0, or NaN for an infinite a.
struct DivApprox : PerFlush {
  static constexpr Spec spec{.mnemonic = "div",
                             .fixed = "approx",
                             .syntax = "div.approx{.ftz}.f32 d, a, b",
                             .section = "Floating-Point: div",
                             .accept = Accept::ftz,
                             .approx = "2 ulp"};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    const float x = flush_in(m, a), y = flush_in(m, b);
    const bool lost = (bits_of(y) & 0x7fffffffu) > 0x7e800000u && !is_nan(y);
    const float scale = (bits_of(y) & 0x7fffffffu) < 0x00800000u ? 16777216.0f : 1.0f;
    return finish(m, x * scale * (lost ? f32_of(bits_of(y) & 0x80000000u) : 1.0f / (y * scale)));
  }
};
// Operands are scaled where the reciprocal of b would be lost or would overflow.
struct DivFull : PerFlush {
  static constexpr Spec spec{.mnemonic = "div",
                             .fixed = "full",
                             .syntax = "div.full{.ftz}.f32 d, a, b",
                             .section = "Floating-Point: div",
                             .accept = Accept::ftz,
                             .approx = "2 ulp"};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    const float x = flush_in(m, a), y = flush_in(m, b);
    const uint32_t magnitude = bits_of(y) & 0x7fffffffu;
    const float scale = magnitude > 0x7e800000u ? 0.25f : magnitude < 0x00800000u ? 16777216.0f : 1.0f;
    return finish(m, x * scale * (1.0f / (y * scale)));
  }
};
struct SinApprox : PerFlush {
  static constexpr Spec spec{.mnemonic = "sin",
                             .fixed = "approx",
                             .syntax = "sin.approx{.ftz}.f32 d, a",
                             .section = "Floating-Point: sin",
                             .accept = Accept::ftz,
                             .approx = "absolute 2^-20.5 on [-2pi, 2pi], 2^-14.7 on [-100pi, 100pi]"};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods m, T a) {
    return finish(m, sin_approx(flush_in(m, a), 0));
  }
};
struct CosApprox : PerFlush {
  static constexpr Spec spec{.mnemonic = "cos",
                             .fixed = "approx",
                             .syntax = "cos.approx{.ftz}.f32 d, a",
                             .section = "Floating-Point: cos",
                             .accept = Accept::ftz,
                             .approx = "absolute 2^-20.5 on [-2pi, 2pi], 2^-14.7 on [-100pi, 100pi]"};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods m, T a) {
    return finish(m, sin_approx(flush_in(m, a), 1));
  }
};
struct Lg2Approx : PerFlush {
  static constexpr Spec spec{.mnemonic = "lg2",
                             .fixed = "approx",
                             .syntax = "lg2.approx{.ftz}.f32 d, a",
                             .section = "Floating-Point: lg2",
                             .accept = Accept::ftz,
                             .approx = "absolute 2^-22 on (0.5, 2), else relative 2^-22"};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods m, T a) {
    return finish(m, log2_approx(flush_in(m, a)));
  }
};
struct Ex2Approx : PerFlush {
  static constexpr Spec spec{.mnemonic = "ex2",
                             .fixed = "approx",
                             .syntax = "ex2.approx{.ftz}.f32 d, a",
                             .section = "Floating-Point: ex2",
                             .accept = Accept::ftz,
                             .approx = "2 ulp"};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods m, T a) {
    return finish(m, exp2_approx(flush_in(m, a)));
  }
};
struct TanhApprox {
  static constexpr Spec spec{.mnemonic = "tanh",
                             .fixed = "approx",
                             .syntax = "tanh.approx.f32 d, a",
                             .section = "Floating-Point: tanh",
                             .min_ptx = 70,
                             .min_sm = 75,
                             .approx = "relative 2^-11"};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods m, T a) {
    return finish(m, tanh_approx(a));
  }
};

// Only the upper word of the operand is read and only that of the result is written; the lower words are zero.
inline double upper_word(double x) { return f64_of(bits_of(x) & 0xffffffff00000000u); }
inline double flush_f64(double x) {
  return f64_of((bits_of(x) & 0x7ff0000000000000u) == 0 ? bits_of(x) & 0x8000000000000000u : bits_of(x));
}
// The table's result has 24 bits; the lower ones are cut off (measured on an H200).
inline double finish_upper(double x) {
  const double rounded = f64_of(bits_of(x) + (uint64_t{1} << 28));
  return is_nan(x) ? f64_of(0x7fffffff00000000u) : upper_word(flush_f64(rounded));
}
struct RcpApproxF64 {
  static constexpr Spec spec{.mnemonic = "rcp",
                             .fixed = "approx ftz",
                             .syntax = "rcp.approx.ftz.f64 d, a",
                             .section = "Floating-Point: rcp.approx.ftz.f64",
                             .min_ptx = 21,
                             .min_sm = 20,
                             .approx = "upper word only"};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods, T a) {
    return finish_upper(1.0 / flush_f64(upper_word(a)));
  }
};
struct RsqrtApproxFtzF64 {
  static constexpr Spec spec{.mnemonic = "rsqrt",
                             .fixed = "approx ftz",
                             .syntax = "rsqrt.approx.ftz.f64 d, a",
                             .section = "Floating-Point: rsqrt.approx.ftz.f64",
                             .min_ptx = 40,
                             .min_sm = 20,
                             .approx = "upper word only"};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods, T a) {
    return finish_upper(1.0 / __builtin_sqrt(flush_f64(upper_word(a))));
  }
};
// What ptxas makes of it: one step of third order on the approximation (code of CUDA 13.0, measured on an H200).
struct RsqrtApproxF64 {
  static constexpr Spec spec{.mnemonic = "rsqrt",
                             .fixed = "approx",
                             .syntax = "rsqrt.approx.f64 d, a",
                             .section = "Floating-Point: rsqrt",
                             .min_sm = 13,
                             .approx = "none given for f64"};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64_div; }
  template <class T>
  static T eval(Mods, T a) {
    const uint64_t bits = bits_of(a);
    const bool subnormal = bits < 0x0010000000000000u, ordinary = bits - 1 < 0x7fefffffffffffffu;
    const double x = a * (subnormal ? 0x1p54 : 1.0);
    const double y = finish_upper(1.0 / __builtin_sqrt(upper_word(x)));
    const double error = __builtin_fma(x, -(y * y), 1.0);
    const double refined = __builtin_fma(__builtin_fma(error, 0.375, 0.5), y * error, y);
    const double special = 1.0 / __builtin_sqrt(a);
    return quiet_nan(ordinary ? refined * (subnormal ? 0x1p27 : 1.0) : special, a);
  }
};

using ApproxOps = OpList<RcpApprox, SqrtApprox, RsqrtApprox, DivApprox, DivFull, SinApprox, CosApprox, Lg2Approx,
                         Ex2Approx, TanhApprox, RcpApproxF64, RsqrtApproxFtzF64, RsqrtApproxF64>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
