#pragma once
// Half-precision arithmetic (PTX ISA 9.0, 9.7.4): f16, bf16 and their packed pairs. Each operation is computed exactly
// (or rounded to odd) in double and rounded once.
#include "simulator/isa/ops/half_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

template <class H>
inline double half_in(Mods m, H h) {
  return to_f32(H{m.ftz ? flush(h).bits : h.bits});
}
template <class H>
inline H half_out(Mods m, double x) {
  const H rounded = to_half<H>(m.rnd == Rnd::none ? Rnd::rn : m.rnd, m.sat ? saturate(x) : x);
  // As with binary32 (finish_product): below what rounds to the least normal number with an unbounded exponent.
  const double least = m.ftz && std::is_same_v<H, F16> ? 0x1p-14 - 0x1p-26 : 0.0;
  const bool tiny = __builtin_fabs(x) < least;
  return {static_cast<uint16_t>(tiny ? rounded.bits & 0x8000u : rounded.bits)};
}

// Applies f to both halves of packed operands, or to plain ones.
template <class T>
inline constexpr bool kPacked = std::is_same_v<T, F16x2> || std::is_same_v<T, BF16x2>;
template <class T>
using HalfOf = std::conditional_t<std::is_same_v<T, F16> || std::is_same_v<T, F16x2>, F16, BF16>;
template <class T, class F, class... More>
inline T per_half(F f, T a, More... more) {
  if constexpr (kPacked<T>) {
    const auto part = [](uint32_t bits, int i) { return HalfOf<T>{static_cast<uint16_t>(bits >> (16 * i))}; };
    const uint32_t low = f(part(a.bits, 0), part(more.bits, 0)...).bits;
    const uint32_t high = f(part(a.bits, 1), part(more.bits, 1)...).bits;
    return {low | high << 16};
  } else {
    return f(a, more...);
  }
}

template <class H>
inline H half_add(Mods m, H a, H b) {
  return half_out<H>(m, odd_sum(half_in(m, a), half_in(m, b)));
}
template <class H>
inline H half_negated(H h) {
  return {static_cast<uint16_t>(h.bits ^ 0x8000u)};
}
template <class H>
inline H half_mul(Mods m, H a, H b) {
  return half_out<H>(m, half_in(m, a) * half_in(m, b));
}
template <class H>
inline H half_fma(Mods m, H a, H b, H c) {
  return half_out<H>(m, odd_sum(half_in(m, a) * half_in(m, b), half_in(m, c)));
}
template <bool kMax, class H>
inline H half_min_max(Mods m, H a, H b) {
  const auto x = static_cast<float>(half_in(m, a)), y = static_cast<float>(half_in(m, b));
  const float p = m.xorsign_abs ? __builtin_fabsf(x) : x, q = m.xorsign_abs ? __builtin_fabsf(y) : y;
  const float r = min_max_value<kMax>(m.nan, p, q);
  const H rounded = to_half<H>(Rnd::rn, r);
  const uint32_t sign = (a.bits ^ b.bits) & 0x8000u;
  return m.xorsign_abs && !is_nan(r) ? H{static_cast<uint16_t>(rounded.bits | sign)} : rounded;
}

inline constexpr Accept kHalfAccept = Accept::rnd | Accept::ftz | Accept::sat;
// The one rounding that these instructions have is a constant of the loop, without which it is not vectorised.
struct RoundsToNearest {
  static constexpr Mods kNearest{.rnd = Rnd::rn};
  static constexpr bool kHasDispatch = true;
  template <class With>
  [[gnu::always_inline]] static void dispatch(const Mods& m, With with) {
    if (!m.ftz && !m.sat) {
      return with(FixedMods<kNearest>{});
    }
    with([m] {
      Mods f = m;
      f.rnd = Rnd::rn;
      return f;
    });
  }
};
inline bool only_rn(const Mods& m, Ty, Ty) { return m.rnd == Rnd::none || m.rnd == Rnd::rn; }
using F16Types = Types<Ty::f16, Ty::f16x2>;
using Bf16Types = Types<Ty::bf16, Ty::bf16x2>;

struct AddF16 : RoundsToNearest {
  static constexpr Spec spec{.mnemonic = "add",
                             .syntax = "add{.rn}{.ftz}{.sat}.type d, a, b",
                             .section = "Half Precision: add",
                             .accept = kHalfAccept,
                             .thread_op = ThreadOp::hadd,
                             .min_ptx = 42,
                             .min_sm = 53,
                             .legal = only_rn};
  using types = F16Types;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_half([&m](auto x, auto y) { return half_add(m, x, y); }, a, b);
  }
};
struct SubF16 : RoundsToNearest {
  static constexpr Spec spec{.mnemonic = "sub",
                             .syntax = "sub{.rn}{.ftz}{.sat}.type d, a, b",
                             .section = "Half Precision: sub",
                             .accept = kHalfAccept,
                             .thread_op = ThreadOp::hadd,
                             .min_ptx = 42,
                             .min_sm = 53,
                             .legal = only_rn};
  using types = F16Types;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_half([&m](auto x, auto y) { return half_add(m, x, half_negated(y)); }, a, b);
  }
};
struct MulF16 : RoundsToNearest {
  static constexpr Spec spec{.mnemonic = "mul",
                             .syntax = "mul{.rn}{.ftz}{.sat}.type d, a, b",
                             .section = "Half Precision: mul",
                             .accept = kHalfAccept,
                             .thread_op = ThreadOp::hmul,
                             .min_ptx = 42,
                             .min_sm = 53,
                             .legal = only_rn};
  using types = F16Types;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_half([&m](auto x, auto y) { return half_mul(m, x, y); }, a, b);
  }
};
struct FmaF16 : RoundsToNearest {
  static constexpr Spec spec{.mnemonic = "fma",
                             .syntax = "fma.rn{.ftz}{.sat}.type d, a, b, c",
                             .section = "Half Precision: fma",
                             .accept = kHalfAccept,
                             .thread_op = ThreadOp::hfma,
                             .min_ptx = 42,
                             .min_sm = 53,
                             .required = Accept::rnd,
                             .legal = only_rn};
  using types = F16Types;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    return per_half([&m](auto x, auto y, auto z) { return half_fma(m, x, y, z); }, a, b, c);
  }
};
struct AddBf16 : RoundsToNearest {
  static constexpr Spec spec{.mnemonic = "add",
                             .syntax = "add{.rn}.type d, a, b",
                             .section = "Half Precision: add",
                             .accept = Accept::rnd,
                             .thread_op = ThreadOp::hadd,
                             .min_ptx = 78,
                             .min_sm = 90,
                             .legal = only_rn};
  using types = Bf16Types;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_half([&m](auto x, auto y) { return half_add(m, x, y); }, a, b);
  }
};
struct SubBf16 : RoundsToNearest {
  static constexpr Spec spec{.mnemonic = "sub",
                             .syntax = "sub{.rn}.type d, a, b",
                             .section = "Half Precision: sub",
                             .accept = Accept::rnd,
                             .thread_op = ThreadOp::hadd,
                             .min_ptx = 78,
                             .min_sm = 90,
                             .legal = only_rn};
  using types = Bf16Types;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_half([&m](auto x, auto y) { return half_add(m, x, half_negated(y)); }, a, b);
  }
};
struct MulBf16 : RoundsToNearest {
  static constexpr Spec spec{.mnemonic = "mul",
                             .syntax = "mul{.rn}.type d, a, b",
                             .section = "Half Precision: mul",
                             .accept = Accept::rnd,
                             .thread_op = ThreadOp::hmul,
                             .min_ptx = 78,
                             .min_sm = 90,
                             .legal = only_rn};
  using types = Bf16Types;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_half([&m](auto x, auto y) { return half_mul(m, x, y); }, a, b);
  }
};
struct FmaBf16 {
  static constexpr bool kHasDispatch = true;
  template <class With>
  [[gnu::always_inline]] static void dispatch(const Mods& m, With with) {
    dispatch_rounding(m, with);
  }
  static constexpr Spec spec{.mnemonic = "fma",
                             .syntax = "fma.rnd.type d, a, b, c",
                             .section = "Half Precision: fma",
                             .accept = Accept::rnd,
                             .thread_op = ThreadOp::hfma,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .required = Accept::rnd};
  using types = Bf16Types;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b, T c) {
    // ptxas makes the same machine instruction of every mode of the pair, and one of f16 of the other modes that the
    // manual does not name (code of CUDA 13.0 for sm_90a, measured on an H200).
    if constexpr (!kPacked<T>) {
      if (m.rnd != Rnd::rn && m.rnd != Rnd::none) {
        return {half_fma(Mods{.rnd = Rnd::rn}, F16{a.bits}, F16{b.bits}, F16{c.bits}).bits};
      }
    }
    m.rnd = Rnd::rn;
    return per_half([&m](auto x, auto y, auto z) { return half_fma(m, x, y, z); }, a, b, c);
  }
};

template <class H>
inline H canonical_half(H h) {
  constexpr uint32_t kInfinity = std::is_same_v<H, F16> ? 0x7c00 : 0x7f80;
  return (h.bits & 0x7fffu) > kInfinity ? H{0x7fff} : h;
}
using HalfTypes = Types<Ty::f16, Ty::f16x2, Ty::bf16, Ty::bf16x2>;
struct NegHalf {
  static constexpr Spec spec{.mnemonic = "neg",
                             .syntax = "neg{.ftz}.type d, a",
                             .section = "Half Precision: neg",
                             .accept = Accept::ftz,
                             .min_ptx = 60,
                             .min_sm = 53,
                             .legal = [](const Mods& m, Ty t, Ty) { return !m.ftz || t == Ty::f16 || t == Ty::f16x2; }};
  using types = HalfTypes;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a) {
    return per_half([&m](auto x) { return canonical_half(half_negated(m.ftz ? flush(x) : x)); }, a);
  }
};
struct AbsHalf {
  static constexpr Spec spec{.mnemonic = "abs",
                             .syntax = "abs{.ftz}.type d, a",
                             .section = "Half Precision: abs",
                             .accept = Accept::ftz,
                             .min_ptx = 65,
                             .min_sm = 53,
                             .legal = [](const Mods& m, Ty t, Ty) { return !m.ftz || t == Ty::f16 || t == Ty::f16x2; }};
  using types = HalfTypes;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a) {
    return per_half(
        [m](auto x) {
          const auto y = m.ftz ? flush(x) : x;
          return canonical_half(decltype(x){static_cast<uint16_t>(y.bits & 0x7fffu)});
        },
        a);
  }
};
inline bool half_min_max_legal(const Mods& m, Ty t, Ty) { return !m.ftz || t == Ty::f16 || t == Ty::f16x2; }
struct MinHalf {
  static constexpr Spec spec{.mnemonic = "min",
                             .syntax = "min{.ftz}{.NaN}{.xorsign.abs}.type d, a, b",
                             .section = "Half Precision: min",
                             .accept = Accept::ftz | Accept::nan | Accept::xorsign_abs,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = half_min_max_legal};
  using types = HalfTypes;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_half([&m](auto x, auto y) { return half_min_max<false>(m, x, y); }, a, b);
  }
};
struct MaxHalf {
  static constexpr Spec spec{.mnemonic = "max",
                             .syntax = "max{.ftz}{.NaN}{.xorsign.abs}.type d, a, b",
                             .section = "Half Precision: max",
                             .accept = Accept::ftz | Accept::nan | Accept::xorsign_abs,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = half_min_max_legal};
  using types = HalfTypes;
  static constexpr Lat latency(Ty) { return Lat::fp16; }
  template <class T>
  static T eval(Mods m, T a, T b) {
    return per_half([&m](auto x, auto y) { return half_min_max<true>(m, x, y); }, a, b);
  }
};

using HalfOps = OpList<AddF16, SubF16, MulF16, FmaF16, AddBf16, SubBf16, MulBf16, FmaBf16, NegHalf, AbsHalf, MinHalf,
                       MaxHalf>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
