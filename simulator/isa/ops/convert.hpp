#pragma once
// cvt (PTX ISA 9.0, 9.7.9). The registers may be wider than the types (kWideOperands): the low bits are converted, the
// result is sign- or zero-extended.
#include "simulator/isa/ops/convert_kernels.hpp"
#include "simulator/isa/ops/int_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

constexpr Lat conversion_latency(Ty to, Ty from) {
  const auto is64 = [](Ty t) { return t == Ty::u64 || t == Ty::s64 || t == Ty::f64; };
  return is64(to) || is64(from) ? Lat::conv64 : Lat::conv;
}
struct Conversion {
  static constexpr bool kWideOperands = true;
  static constexpr Lat latency(Ty to, Ty from) { return conversion_latency(to, from); }
};

// Both type lists of a family of conversions: every pair of them.
template <class To, class From>
struct CrossOf;
template <class... P>
struct Join;
template <class... P, class... Q, class... Rest>
struct Join<TypePairs<P...>, TypePairs<Q...>, Rest...> : Join<TypePairs<P..., Q...>, Rest...> {};
template <class... P>
struct Join<TypePairs<P...>> {
  using type = TypePairs<P...>;
};
template <Ty To, Ty... From>
using PairsTo = TypePairs<TypePair<To, From>...>;
template <Ty... To, Ty... From>
struct CrossOf<Types<To...>, Types<From...>> {
  using type = typename Join<PairsTo<To, From...>...>::type;
};
template <class To, class From>
using Cross = typename CrossOf<To, From>::type;

using CvtInts = Types<Ty::u8, Ty::s8, Ty::u16, Ty::s16, Ty::u32, Ty::s32, Ty::u64, Ty::s64>;

// The compiler sees the rounding mode as a constant.
struct PerIntegerRounding {
  static constexpr bool kHasDispatch = true;
  template <class With>
  [[gnu::always_inline]] static void dispatch(const Mods& m, With with) {
    switch (m.rnd) {
      case Rnd::rzi:
        return with([m] {
          Mods f = m;
          f.rnd = Rnd::rzi;
          return f;
        });
      case Rnd::rmi:
        return with([m] {
          Mods f = m;
          f.rnd = Rnd::rmi;
          return f;
        });
      case Rnd::rpi:
        return with([m] {
          Mods f = m;
          f.rnd = Rnd::rpi;
          return f;
        });
      case Rnd::rni:
        return with([m] {
          Mods f = m;
          f.rnd = Rnd::rni;
          return f;
        });
      case Rnd::none:
      case Rnd::rn:
      case Rnd::rz:
      case Rnd::rm:
      case Rnd::rp:
      case Rnd::rna: break;
    }
    return with([m] {
      Mods f = m;
      f.rnd = Rnd::none;
      return f;
    });
  }
};

// .sat is legal where it can matter: the source has values that the destination has not.
inline bool saturation_matters(const Mods& m, Ty to, Ty from) {
  const int to_bits = bits(to) - (is_signed(to) ? 1 : 0), from_bits = bits(from) - (is_signed(from) ? 1 : 0);
  return !m.sat || from_bits > to_bits || (is_signed(from) && !is_signed(to));
}
struct CvtInt : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt{.sat}.dtype.atype d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::sat,
                             .legal = saturation_matters};
  using types = Cross<CvtInts, CvtInts>;
  static constexpr Lat latency(Ty to, Ty from) { return to == from ? Lat::int_alu : conversion_latency(to, from); }
  template <class D, class S>
  static constexpr D eval(Mods m, S a) {
    constexpr D kMost = std::numeric_limits<D>::max(), kLeast = std::numeric_limits<D>::min();
    const bool high = std::cmp_greater(a, kMost), low = std::cmp_less(a, kLeast);
    return m.sat && high ? kMost : m.sat && low ? kLeast : static_cast<D>(a);
  }
};
static_assert(CvtInt::eval<uint8_t, int32_t>({.sat = true}, -5) == 0 && CvtInt::eval<int8_t, int32_t>({}, 200) == -56);

struct CvtIntToFloat : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.frnd{.ftz}{.sat}.dtype.itype d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd | Accept::ftz | Accept::sat,
                             .required = Accept::rnd,
                             .legal = [](const Mods& m, Ty to, Ty) { return !m.ftz || to == Ty::f32; }};
  using types = Cross<Types<Ty::f16, Ty::f32, Ty::f64>, CvtInts>;
  static constexpr bool kHasDispatch = true;
  template <class With>
  [[gnu::always_inline]] static void dispatch(const Mods& m, With with) {
    dispatch_rounding(m, with);
  }
  template <class D, class S>
  static D eval(Mods m, S a) {
    const bool negative = a<0, positive = a> 0;
    if constexpr (std::is_same_v<D, double>) {
      return m.sat ? (positive ? 1.0 : 0.0) : int_to_f64(m.rnd, a);
    } else if constexpr (std::is_same_v<D, float>) {
      const float value = m.rnd == Rnd::rn ? static_cast<float>(a) : narrow(m.rnd, odd_double_of(a));
      return m.sat ? (positive ? 1.0f : 0.0f) : value;
    } else {
      return to_half<D>(m.rnd, m.sat ? (negative ? 0.0 : positive ? 1.0 : 0.0) : odd_double_of(a));
    }
  }
};

template <class D>
inline D float_to_int(Mods m, double x, bool source_is_f64) {
  return clamp_integral<D>(to_integral(m.rnd, x), source_is_f64);
}
struct CvtF32ToInt : Conversion, PerIntegerRounding {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.irnd{.ftz}{.sat}.dtype.f32 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd_int | Accept::ftz | Accept::sat,
                             .required = Accept::rnd_int};
  using types = Cross<CvtInts, Types<Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return float_to_int<D>(m, flush_in(m, a), false);
  }
};
struct CvtF64ToInt : Conversion, PerIntegerRounding {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.irnd{.sat}.dtype.f64 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd_int | Accept::sat,
                             .required = Accept::rnd_int};
  using types = Cross<CvtInts, Types<Ty::f64>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return float_to_int<D>(m, a, true);
  }
};
struct CvtF16ToInt : Conversion, PerIntegerRounding {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.irnd{.sat}.dtype.f16 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd_int | Accept::sat,
                             .required = Accept::rnd_int};
  using types = Cross<CvtInts, Types<Ty::f16>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return float_to_int<D>(m, to_f32(a), false);
  }
};

// Same type: rounds to an integral value where a mode is given.
struct CvtF32F32 : Conversion, PerIntegerRounding {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt{.irnd}{.ftz}{.sat}.f32.f32 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd_int | Accept::ftz | Accept::sat};
  using types = TypePairs<TypePair<Ty::f32, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const float x = flush_in(m, a);
    return finish(m, m.rnd == Rnd::none ? x : static_cast<float>(to_integral(m.rnd, x)));
  }
};
struct CvtF64F64 : Conversion, PerIntegerRounding {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt{.irnd}{.sat}.f64.f64 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd_int | Accept::sat};
  using types = TypePairs<TypePair<Ty::f64, Ty::f64>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const double r = canonical(m.rnd == Rnd::none ? a : to_integral(m.rnd, a));
    return m.sat ? saturate(r) : r;
  }
};
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

// To a narrower format: rounds, and says how. Subnormal f32 results of f64 flush with .ftz.
struct CvtF32F64 : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.frnd{.ftz}{.sat}.f32.f64 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd | Accept::ftz | Accept::sat,
                             .required = Accept::rnd};
  using types = TypePairs<TypePair<Ty::f32, Ty::f64>>;
  static constexpr bool kHasDispatch = true;
  template <class With>
  [[gnu::always_inline]] static void dispatch(const Mods& m, With with) {
    dispatch_rounding(m, with);
  }
  template <class D, class S>
  static D eval(Mods m, S a) {
    return finish(m, narrow(m.rnd, a));
  }
};
struct CvtF16F32 : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.frnd{.ftz}{.sat}.f16.f32 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd | Accept::ftz | Accept::sat,
                             .required = Accept::rnd};
  using types = TypePairs<TypePair<Ty::f16, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const float x = flush_in(m, a);
    return to_half<D>(m.rnd, m.sat ? saturate(x) : x);
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
    return to_half<D>(m.rnd, m.sat ? saturate(a) : a);
  }
};
struct CvtBf16F32 : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.frnd.bf16.f32 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .required = Accept::rnd,
                             .legal = [](const Mods& m, Ty, Ty) { return m.rnd == Rnd::rn || m.rnd == Rnd::rz; }};
  using types = TypePairs<TypePair<Ty::bf16, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return to_half<D>(m.rnd, a);
  }
};
// Two floats to a packed pair; a goes to the upper half.
template <Ty To>
struct CvtPacked {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.frnd.dtype.f32 d, a, b",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .required = Accept::rnd,
                             .legal = [](const Mods& m, Ty, Ty) { return m.rnd == Rnd::rn || m.rnd == Rnd::rz; }};
  using types = TypePairs<TypePair<To, Ty::f32>>;
  static constexpr Lat latency(Ty to, Ty from) { return conversion_latency(to, from); }
  template <class D, class S>
  static D eval(Mods m, S a, S b) {
    using H = std::conditional_t<To == Ty::f16x2, F16, BF16>;
    return {static_cast<uint32_t>(to_half<H>(m.rnd, b).bits) | static_cast<uint32_t>(to_half<H>(m.rnd, a).bits) << 16};
  }
};
// 10 fraction bits kept in a 32-bit pattern, ties away from zero.
struct CvtTf32 : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.rna.tf32.f32 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rna,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .required = Accept::rna};
  using types = TypePairs<TypePair<Ty::tf32, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods, S a) {
    const uint32_t bits = bits_of(a);
    const bool special = (bits & 0x7f800000u) == 0x7f800000u;
    return is_nan(a) ? 0x7fffffffu : special ? bits : (bits + 0x1000u) & 0xffffe000u;
  }
};

// To a wider format: exact.
struct CvtF64F32 : Conversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt{.ftz}{.sat}.f64.f32 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::ftz | Accept::sat};
  using types = TypePairs<TypePair<Ty::f64, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const double r = canonical(static_cast<double>(flush_in(m, a)));
    return m.sat ? saturate(r) : r;
  }
};
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
    const double r = canonical(static_cast<double>(to_f32(a)));
    return m.sat ? saturate(r) : r;
  }
};
struct CvtF32Bf16 : Conversion {
  static constexpr Spec spec{
      .mnemonic = "cvt", .syntax = "cvt.f32.bf16 d, a", .section = "Data Movement: cvt", .min_ptx = 71, .min_sm = 80};
  using types = TypePairs<TypePair<Ty::f32, Ty::bf16>>;
  template <class D, class S>
  static D eval(Mods, S a) {
    return canonical(to_f32(a));
  }
};

using ConvertIntOps = OpList<CvtInt>;
using ConvertToIntOps = OpList<CvtF32ToInt, CvtF64ToInt, CvtF16ToInt>;
using ConvertToFloatOps =
    OpList<CvtIntToFloat, CvtF32F32, CvtF64F64, CvtF16F16, CvtF32F64, CvtF16F32, CvtF16F64, CvtBf16F32,
           CvtPacked<Ty::f16x2>, CvtPacked<Ty::bf16x2>, CvtTf32, CvtF64F32, CvtF32F16, CvtF64F16, CvtF32Bf16>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
