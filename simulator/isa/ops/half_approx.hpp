#pragma once
// Half precision: fma with .relu, and the approximations tanh and ex2 (PTX ISA 9.0, 9.7.4). The approximations are
// those of binary32 with fewer bits.
#include "simulator/isa/ops/approx_kernels.hpp"
#include "simulator/isa/ops/half_arith.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

template <class H>
inline H fma_relu(Mods m, H a, H b, H c) {
  return relu_half(half_fma(m, a, b, c));
}
struct FmaReluF16 {
  static constexpr Spec spec{.mnemonic = "fma",
                             .fixed = "relu",
                             .syntax = "fma.rn{.ftz}.relu.type d, a, b, c",
                             .section = "Half Precision: fma",
                             .accept = Accept::rnd | Accept::ftz,
                             .thread_op = ThreadOp::hfma,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .required = Accept::rnd,
                             .legal = only_rn};
  using types = F16Types;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    return per_half([m](auto x, auto y, auto z) { return fma_relu(m, x, y, z); }, a, b, c);
  }
};
struct FmaReluBf16 {
  static constexpr Spec spec{.mnemonic = "fma",
                             .fixed = "relu",
                             .syntax = "fma.rn.relu.type d, a, b, c",
                             .section = "Half Precision: fma",
                             .accept = Accept::rnd,
                             .thread_op = ThreadOp::hfma,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .required = Accept::rnd,
                             .legal = only_rn};
  using types = Bf16Types;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    return per_half([m](auto x, auto y, auto z) { return fma_relu(m, x, y, z); }, a, b, c);
  }
};

// .oob: an operand a or b that is the NaN by which a tensor copy marks elements out of bounds makes the result +0.
// The manual does not tell its bits; tensor copies are seen to fill 16-bit elements with 0x7ff7.
template <class H>
inline H fma_oob(Mods m, H a, H b, H c) {
  constexpr uint16_t kOutOfBounds = 0x7ff7;
  const H result = m.relu ? fma_relu(m, a, b, c) : half_fma(m, a, b, c);
  return a.bits == kOutOfBounds || b.bits == kOutOfBounds ? H{0} : result;
}
struct FmaOob {
  static constexpr Spec spec{.mnemonic = "fma",
                             .fixed = "oob",
                             .syntax = "fma.rn.oob{.relu}.type d, a, b, c",
                             .section = "Half Precision: fma",
                             .accept = Accept::rnd | Accept::relu,
                             .thread_op = ThreadOp::hfma,
                             .min_ptx = 81,
                             .min_sm = 90,
                             .required = Accept::rnd,
                             .legal = only_rn};
  using types = HalfTypes;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    return per_half([m](auto x, auto y, auto z) { return fma_oob(m, x, y, z); }, a, b, c);
  }
};

// A result of binary32 is cut off to 16 bits (measured on an H200).
template <class H>
inline H cut_half(float x);
template <>
inline F16 cut_half<F16>(float x) {
  return to_half<F16>(Rnd::rz, x >= 65536.0f ? f32_of(0x7f800000u) : x);
}
template <>
inline BF16 cut_half<BF16>(float x) {
  return {static_cast<uint16_t>(is_nan(x) ? 0x7fffu : bits_of(x) >> 16)};
}
struct TanhHalf {
  static constexpr Spec spec{.mnemonic = "tanh",
                             .fixed = "approx",
                             .syntax = "tanh.approx.type d, a",
                             .section = "Half Precision: tanh",
                             .min_ptx = 70,
                             .min_sm = 75,
                             .approx = "absolute 2^-10.987 (f16), 2^-8 (bf16)"};
  using types = HalfTypes;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods, T a) {
    return per_half([](auto x) { return cut_half<decltype(x)>(tanh_approx(to_f32(x))); }, a);
  }
};
struct Ex2F16 {
  static constexpr Spec spec{.mnemonic = "ex2",
                             .fixed = "approx",
                             .syntax = "ex2.approx.type d, a",
                             .section = "Half Precision: ex2",
                             .min_ptx = 70,
                             .min_sm = 75,
                             .approx = "relative 2^-9.9"};
  using types = F16Types;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods, T a) {
    return per_half([](auto x) { return cut_half<F16>(exp2_approx(to_f32(x))); }, a);
  }
};
struct Ex2Bf16 {  // flushes subnormals, which bf16 arithmetic does not
  static constexpr Spec spec{.mnemonic = "ex2",
                             .fixed = "approx ftz",
                             .syntax = "ex2.approx.ftz.type d, a",
                             .section = "Half Precision: ex2",
                             .min_ptx = 78,
                             .min_sm = 90,
                             .approx = "relative 2^-7"};
  using types = Bf16Types;
  static constexpr Lat latency(Ty) { return Lat::mufu; }
  template <class T>
  static T eval(Mods, T a) {
    return per_half([](auto x) { return cut_half<BF16>(flush(exp2_approx(flush(to_f32(x))))); }, a);
  }
};

using HalfApproxOps = OpList<FmaReluF16, FmaReluBf16, FmaOob, TanhHalf, Ex2F16, Ex2Bf16>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
