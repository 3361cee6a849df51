#pragma once
// cvt from and to f16, bf16, their packed pairs and tf32 (PTX ISA 9.0, 9.7.9).
#include "simulator/isa/ops/convert.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// .relu and .satfinite go with .rn and .rz, and with neither .ftz nor .sat.
inline bool relu_form_legal(const Mods& m, Ty, Ty) {
  const bool nearest_or_zero = m.rnd == Rnd::rn || m.rnd == Rnd::rz;
  return (!m.relu && !m.satfinite) || (nearest_or_zero && !m.ftz && !m.sat);
}
template <class H>
inline H narrowed_half(Mods m, double x) {
  const H rounded = to_half<H>(m.rnd, x);
  const H kept = m.satfinite ? saturate_finite(rounded) : rounded;
  return m.relu ? relu_half(kept) : kept;
}

// A NaN of binary64 keeps its sign and the upper bits of its payload (measured on an H200).
template <class H>
inline H half_with_nan(H rounded, double x) {
  constexpr int kFraction = std::is_same_v<H, F16> ? 10 : 7;
  const uint64_t bits = bits_of(x) | 0x0008000000000000u;
  const uint64_t nan = ((bits >> 48) & 0x8000u) | ((bits >> (52 - kFraction)) & 0x7fffu);
  return is_nan(x) ? H{static_cast<uint16_t>(nan | (0x7fffu & ~((1u << kFraction) - 1)))} : rounded;
}

// Same type: rounds to an integral value where a mode is given.
struct CvtF16F16 : Conversion, PerIntegerRounding {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt{.irnd}{.sat}.f16.f16 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd_int | Accept::sat};
  using types = TypePairs<TypePair<Ty::f16, Ty::f16>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const double x = to_f32(a);
    const double r = m.rnd == Rnd::none ? x : to_integral(m.rnd, x);
    return to_half<D>(Rnd::rn, m.sat ? saturate(r) : r);
  }
};
struct CvtBf16Bf16 : Conversion, PerIntegerRounding {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt{.irnd}.bf16.bf16 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd_int,
                             .min_ptx = 78,
                             .min_sm = 90};
  using types = TypePairs<TypePair<Ty::bf16, Ty::bf16>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const double x = to_f32(a);
    return to_half<D>(Rnd::rn, m.rnd == Rnd::none ? x : to_integral(m.rnd, x));
  }
};

// To a narrower format.
struct CvtF16F32 : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.frnd{.ftz}{.sat}{.relu}{.satfinite}.f16.f32 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd | Accept::ftz | Accept::sat | Accept::relu | Accept::satfinite,
                             .required = Accept::rnd,
                             .legal = relu_form_legal};
  using types = TypePairs<TypePair<Ty::f16, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return narrowed_half<D>(m, m.sat ? saturate(a) : a);  // .ftz changes nothing: measured on an H200
  }
};
struct CvtF16F64 : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.frnd{.sat}.f16.f64 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd | Accept::sat,
                             .required = Accept::rnd};
  using types = TypePairs<TypePair<Ty::f16, Ty::f64>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return half_with_nan<D>(to_half<D>(m.rnd, m.sat ? saturate(a) : a), m.sat ? 0.0 : a);
  }
};
struct CvtBf16F32 : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.frnd{.ftz}{.relu}{.satfinite}.bf16.f32 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd | Accept::ftz | Accept::relu | Accept::satfinite,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .required = Accept::rnd,
                             .legal = relu_form_legal};
  using types = TypePairs<TypePair<Ty::bf16, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return narrowed_half<D>(m, flush_in(m, a));
  }
};
// Between the half formats (to the nearest where no mode is given), and from f64 to bf16.
struct CvtHalfOther : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt{.frnd}.dtype.atype d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd,
                             .min_ptx = 78,
                             .min_sm = 90,
                             .legal = [](const Mods& m, Ty, Ty from) { return m.rnd != Rnd::none || from != Ty::f64; }};
  using types = TypePairs<TypePair<Ty::f16, Ty::bf16>, TypePair<Ty::bf16, Ty::f16>, TypePair<Ty::bf16, Ty::f64>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const D rounded = to_half<D>(m.rnd == Rnd::none ? Rnd::rn : m.rnd, to_f64(a));
    if constexpr (std::is_same_v<S, double>) {
      return half_with_nan(rounded, a);
    }
    return rounded;
  }
};

// Two floats to a packed pair; a goes to the upper half.
template <Ty To>
struct CvtPacked {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.frnd{.relu}{.satfinite}.dtype.f32 d, a, b",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd | Accept::relu | Accept::satfinite,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .required = Accept::rnd,
                             .legal = [](const Mods& m, Ty, Ty) { return m.rnd == Rnd::rn || m.rnd == Rnd::rz; }};
  using types = TypePairs<TypePair<To, Ty::f32>>;
  static constexpr Lat latency(Ty to, Ty from) { return conversion_latency(to, from); }
  template <class D, class S>
  static D eval(Mods m, S a, S b) {
    using H = std::conditional_t<To == Ty::f16x2, F16, BF16>;
    return {static_cast<uint32_t>(narrowed_half<H>(m, b).bits) |
            static_cast<uint32_t>(narrowed_half<H>(m, a).bits) << 16};
  }
};

// Stochastic rounding: the fraction that is cut off, as far as the random bits reach, is added to them; a carry rounds
// away from zero. 13 random bits for f16 (24 - 11), 16 for bf16.
template <class H>
inline H stochastic_half(Mods m, float x, uint32_t random) {
  constexpr int kBits = std::is_same_v<H, F16> ? 13 : 16;
  const H toward_zero = to_half<H>(Rnd::rz, x);
  const double low = to_f32(toward_zero), high = to_f32(H{static_cast<uint16_t>(toward_zero.bits + 1)});
  const bool inexact = low != static_cast<double>(x) && !is_nan(x) && high - high == 0;
  const double part = inexact ? (static_cast<double>(x) - low) / (high - low) : 0.0;  // a power of two divides exactly
  const auto cut = static_cast<uint32_t>(part * static_cast<double>(1u << kBits));
  const bool up = cut + (random & ((1u << kBits) - 1)) >= (1u << kBits);
  const H rounded = up ? H{static_cast<uint16_t>(toward_zero.bits + 1)} : toward_zero;
  const H kept = m.satfinite ? saturate_finite(rounded) : rounded;
  return m.relu ? relu_half(kept) : kept;
}
template <Ty To>
struct CvtStochastic {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.rs{.relu}{.satfinite}.dtype.f32 d, a, b, rbits",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rs | Accept::relu | Accept::satfinite,
                             .min_ptx = 87,
                             .min_sm = 100,
                             .required = Accept::rs};
  using types = TypePairs<TypePair<To, Ty::f32>>;
  static constexpr Lat latency(Ty to, Ty from) { return conversion_latency(to, from); }
  template <class D, class S>
  static D eval(Mods m, S a, S b, uint32_t random) {
    using H = std::conditional_t<To == Ty::f16x2, F16, BF16>;
    return {static_cast<uint32_t>(stochastic_half<H>(m, b, random).bits) |
            static_cast<uint32_t>(stochastic_half<H>(m, a, random >> 16).bits) << 16};
  }
};

// tf32: 10 fraction bits kept in a binary32 pattern. Rounding modes: to nearest, ties away (.rna) or to even, to zero.
// The nearest, ties away, is an integer addition, which takes infinity and NaN for numbers (measured on an H200).
inline uint32_t to_tf32(Mods m, float x) {
  const uint32_t bits = bits_of(x);
  const bool special = (bits & 0x7f800000u) == 0x7f800000u;
  const uint32_t bias = m.rnd == Rnd::rna ? 0x1000u : m.rnd == Rnd::rn ? 0xfffu + ((bits >> 13) & 1u) : 0u;
  const uint32_t rounded = (special ? bits : bits + bias) & 0xffffe000u;
  const bool beyond = (rounded & 0x7f800000u) == 0x7f800000u;
  const uint32_t kept = m.satfinite && beyond ? rounded - 0x2000u : rounded;
  const bool canonical_nan = is_nan(x) && m.rnd != Rnd::rna;
  return canonical_nan ? 0x7fffe000u : m.relu && (kept >> 31) != 0 ? 0u : kept;
}
struct CvtTf32 : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.rna{.satfinite}.tf32.f32 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rna | Accept::satfinite,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .required = Accept::rna};
  using types = TypePairs<TypePair<Ty::tf32, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return to_tf32(m, a);
  }
};
struct CvtTf32Rounded : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.frnd2{.relu}{.satfinite}.tf32.f32 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd | Accept::relu | Accept::satfinite,
                             .min_ptx = 78,
                             .min_sm = 90,
                             .required = Accept::rnd,
                             .legal = [](const Mods& m, Ty, Ty) { return m.rnd == Rnd::rn || m.rnd == Rnd::rz; }};
  using types = TypePairs<TypePair<Ty::tf32, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return to_tf32(m, a);
  }
};

// To a wider format: exact.
struct CvtF32F16 : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt{.ftz}{.sat}.f32.f16 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::ftz | Accept::sat};
  using types = TypePairs<TypePair<Ty::f32, Ty::f16>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const float r = canonical(to_f32(a));
    return m.sat ? saturate(r) : r;
  }
};
struct CvtF64F16 : Conversion {
  static constexpr Spec spec{
      .mnemonic = "cvt", .syntax = "cvt{.sat}.f64.f16 d, a", .section = "Data Movement: cvt", .accept = Accept::sat};
  using types = TypePairs<TypePair<Ty::f64, Ty::f16>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const double x = to_f32(a), r = is_nan(x) ? quieted(x) : x;
    return m.sat ? saturate(r) : r;
  }
};
struct CvtFromBf16 : Conversion {  // a rounding mode may be written and has no meaning
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt{.frnd}{.ftz}.dtype.bf16 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd | Accept::ftz,
                             .min_ptx = 71,
                             .min_sm = 80,
                             .legal = [](const Mods& m, Ty to, Ty) { return !m.ftz || to == Ty::f32; }};
  using types = TypePairs<TypePair<Ty::f32, Ty::bf16>, TypePair<Ty::f64, Ty::bf16>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const float x = to_f32(a);
    if constexpr (std::is_same_v<D, double>) {
      const double wide = x;
      return is_nan(wide) ? quieted(wide) : wide;
    }
    return m.ftz ? canonical(flush(x)) : x;
  }
};

using ConvertHalfOps =
    OpList<CvtF16F16, CvtBf16Bf16, CvtF16F32, CvtF16F64, CvtBf16F32, CvtHalfOther, CvtPacked<Ty::f16x2>,
           CvtPacked<Ty::bf16x2>, CvtStochastic<Ty::f16x2>, CvtStochastic<Ty::bf16x2>, CvtTf32, CvtTf32Rounded,
           CvtF32F16, CvtF64F16, CvtFromBf16>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
