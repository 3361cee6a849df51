#pragma once
// Floating-point arithmetic, f32 and f64 (PTX ISA 9.0, 9.7.3): the correctly rounded instructions. approx.hpp has the
// .approx ones, half_arith.hpp those on f16 and bf16.
#include "simulator/isa/ops/fp_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline constexpr Accept kRndFtzSat = Accept::rnd | Accept::ftz | Accept::sat;
inline constexpr Accept kRndFtz = Accept::rnd | Accept::ftz;

// Compiled per rounding mode (fp_kernels.hpp).
struct PerRounding {
  static constexpr bool kHasDispatch = true;
  template <class With>
  [[gnu::always_inline]] static void dispatch(const Mods& m, With with) {
    dispatch_rounding(m, with);
  }
};

struct AddF32 : PerRounding {
  static constexpr Spec spec{.mnemonic = "add",
                             .syntax = "add{.rnd}{.ftz}{.sat}.f32 d, a, b",
                             .section = "Floating-Point: add",
                             .accept = kRndFtzSat,
                             .thread_op = ThreadOp::fadd};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return finish(m, add(m.rnd, flush_in(m, a), flush_in(m, b)));
  }
};
struct SubF32 : PerRounding {
  static constexpr Spec spec{.mnemonic = "sub",
                             .syntax = "sub{.rnd}{.ftz}{.sat}.f32 d, a, b",
                             .section = "Floating-Point: sub",
                             .accept = kRndFtzSat,
                             .thread_op = ThreadOp::fadd};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return finish(m, add(m.rnd, flush_in(m, a), -flush_in(m, b)));
  }
};
struct MulF32 : PerRounding {
  static constexpr Spec spec{.mnemonic = "mul",
                             .syntax = "mul{.rnd}{.ftz}{.sat}.f32 d, a, b",
                             .section = "Floating-Point: mul",
                             .accept = kRndFtzSat,
                             .thread_op = ThreadOp::fmul};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    const float x = flush_in(m, a), y = flush_in(m, b);
    if (m.rnd == Rnd::rn || m.rnd == Rnd::none) {
      return finish_product(m, x * y, x * kTinyScale * y);
    }
    return finish_product(m, mul(m.rnd, x, y), static_cast<double>(x) * y);
  }
};
struct FmaF32 : PerRounding {
  static constexpr Spec spec{.mnemonic = "fma",
                             .syntax = "fma.rnd{.ftz}{.sat}.f32 d, a, b, c",
                             .section = "Floating-Point: fma",
                             .accept = kRndFtzSat,
                             .thread_op = ThreadOp::ffma,
                             .min_ptx = 20,
                             .min_sm = 20,
                             .required = Accept::rnd};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    const float x = flush_in(m, a), y = flush_in(m, b), z = flush_in(m, c);
    if (m.rnd == Rnd::rn || m.rnd == Rnd::none) {
      return finish_product(m, fma(Rnd::rn, x, y, z), fma(Rnd::rn, x * kTinyScale, y, z * kTinyScale));
    }
    return finish_product(m, fma(m.rnd, x, y, z), odd_sum(static_cast<double>(x) * y, z));
  }
};
struct MadF32 : PerRounding {  // the same as fma from sm_20 on
  static constexpr Spec spec{.mnemonic = "mad",
                             .syntax = "mad.rnd{.ftz}{.sat}.f32 d, a, b, c",
                             .section = "Floating-Point: mad",
                             .accept = kRndFtzSat,
                             .thread_op = ThreadOp::ffma,
                             .required = Accept::rnd};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    return FmaF32::eval<T>(m, a, b, c);
  }
};
struct DivF32 : PerRounding {
  static constexpr Spec spec{.mnemonic = "div",
                             .syntax = "div.rnd{.ftz}.f32 d, a, b",
                             .section = "Floating-Point: div",
                             .accept = kRndFtz,
                             .min_ptx = 20,
                             .min_sm = 20,
                             .required = Accept::rnd};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32_div; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return finish(m, div(m.rnd, flush_in(m, a), flush_in(m, b)));
  }
};
struct RcpF32 : PerRounding {
  static constexpr Spec spec{.mnemonic = "rcp",
                             .syntax = "rcp.rnd{.ftz}.f32 d, a",
                             .section = "Floating-Point: rcp",
                             .accept = kRndFtz,
                             .min_ptx = 20,
                             .min_sm = 20,
                             .required = Accept::rnd};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32_sqrt; }
  template <class T>
  static T eval(Mods m, T a) {
    return finish(m, div(m.rnd, 1.0f, flush_in(m, a)));
  }
};
struct SqrtF32 : PerRounding {
  static constexpr Spec spec{.mnemonic = "sqrt",
                             .syntax = "sqrt.rnd{.ftz}.f32 d, a",
                             .section = "Floating-Point: sqrt",
                             .accept = kRndFtz,
                             .min_ptx = 20,
                             .min_sm = 20,
                             .required = Accept::rnd};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::fp32_sqrt; }
  template <class T>
  static T eval(Mods m, T a) {
    return finish(m, sqrt(m.rnd, flush_in(m, a)));
  }
};

struct AddF64 : PerRounding {
  static constexpr Spec spec{.mnemonic = "add",
                             .syntax = "add{.rnd}.f64 d, a, b",
                             .section = "Floating-Point: add",
                             .accept = Accept::rnd,
                             .thread_op = ThreadOp::dadd,
                             .min_sm = 13};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return quiet_nan(add(m.rnd, a, b), a, b);
  }
};
struct SubF64 : PerRounding {
  static constexpr Spec spec{.mnemonic = "sub",
                             .syntax = "sub{.rnd}.f64 d, a, b",
                             .section = "Floating-Point: sub",
                             .accept = Accept::rnd,
                             .thread_op = ThreadOp::dadd,
                             .min_sm = 13};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return quiet_nan(add(m.rnd, a, -b), a, b);
  }
};
struct MulF64 : PerRounding {
  static constexpr Spec spec{.mnemonic = "mul",
                             .syntax = "mul{.rnd}.f64 d, a, b",
                             .section = "Floating-Point: mul",
                             .accept = Accept::rnd,
                             .thread_op = ThreadOp::dmul,
                             .min_sm = 13};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return quiet_nan(mul(m.rnd, a, b), a, b);
  }
};
struct FmaF64 : PerRounding {
  static constexpr Spec spec{.mnemonic = "fma",
                             .syntax = "fma.rnd.f64 d, a, b, c",
                             .section = "Floating-Point: fma",
                             .accept = Accept::rnd,
                             .thread_op = ThreadOp::dfma,
                             .min_ptx = 14,
                             .min_sm = 13,
                             .required = Accept::rnd};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    return quiet_nan(fma(m.rnd, a, b, c), a, b, c);
  }
};
struct MadF64 : PerRounding {
  static constexpr Spec spec{.mnemonic = "mad",
                             .syntax = "mad.rnd.f64 d, a, b, c",
                             .section = "Floating-Point: mad",
                             .accept = Accept::rnd,
                             .thread_op = ThreadOp::dfma,
                             .min_sm = 13,
                             .required = Accept::rnd};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    return quiet_nan(fma(m.rnd, a, b, c), a, b, c);
  }
};
struct DivF64 : PerRounding {
  static constexpr Spec spec{.mnemonic = "div",
                             .syntax = "div.rnd.f64 d, a, b",
                             .section = "Floating-Point: div",
                             .accept = Accept::rnd,
                             .min_ptx = 14,
                             .min_sm = 13,
                             .required = Accept::rnd};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64_div; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return quiet_nan(div(m.rnd, a, b), b, a);  // the emulation returns the dividend's
  }
};
struct RcpF64 : PerRounding {
  static constexpr Spec spec{.mnemonic = "rcp",
                             .syntax = "rcp.rnd.f64 d, a",
                             .section = "Floating-Point: rcp",
                             .accept = kRndFtz,  // .ftz, which nothing follows from: ptxas takes it
                             .min_ptx = 14,
                             .min_sm = 13,
                             .required = Accept::rnd};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64_div; }
  template <class T>
  static T eval(Mods m, T a) {
    return quiet_nan(div(m.rnd, 1.0, a), a);
  }
};
struct SqrtF64 : PerRounding {
  static constexpr Spec spec{.mnemonic = "sqrt",
                             .syntax = "sqrt.rnd.f64 d, a",
                             .section = "Floating-Point: sqrt",
                             .accept = Accept::rnd,
                             .min_ptx = 14,
                             .min_sm = 13,
                             .required = Accept::rnd};
  using types = Types<Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::fp64_div; }
  template <class T>
  static T eval(Mods m, T a) {
    return quiet_nan(sqrt(m.rnd, a), a);
  }
};

using FloatArithOps = OpList<AddF32, SubF32, MulF32, FmaF32, MadF32, DivF32, RcpF32, SqrtF32, AddF64, SubF64, MulF64,
                             FmaF64, MadF64, DivF64, RcpF64, SqrtF64>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
