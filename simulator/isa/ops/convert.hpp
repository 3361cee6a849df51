#pragma once
// cvt (PTX ISA 9.0, 9.7.9). The registers may be wider than the types (kWideOperands): the low bits are converted, the
// result is sign- or zero-extended.
#include "simulator/isa/ops/convert_kernels.hpp"
#include "simulator/isa/ops/int_kernels.hpp"
#include "simulator/isa/ops/type_lists.hpp"
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

using CvtInts = Types<Ty::u8, Ty::s8, Ty::u16, Ty::s16, Ty::u32, Ty::s32, Ty::u64, Ty::s64>;
using CvtWideInts = Types<Ty::u16, Ty::s16, Ty::u32, Ty::s32, Ty::u64, Ty::s64>;  // those that bf16 converts to

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
      case Rnd::rs:
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
                             .legal =
                                 [](const Mods& m, Ty to, Ty) {
                                   return (!m.ftz || to == Ty::f32) && !(m.sat && to == Ty::bf16);
                                 }};
  using types = Join<Cross<Types<Ty::f16, Ty::f32, Ty::f64>, CvtInts>, Cross<Types<Ty::bf16>, CvtWideInts>>::type;
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
struct CvtBf16ToInt : Conversion, PerIntegerRounding {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .syntax = "cvt.irnd.dtype.bf16 d, a",
                             .section = "Data Movement: cvt",
                             .accept = Accept::rnd_int,
                             .min_ptx = 78,
                             .min_sm = 90,
                             .required = Accept::rnd_int};
  using types = Cross<CvtWideInts, Types<Ty::bf16>>;
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
    if (m.rnd == Rnd::none && !m.ftz && !m.sat) {
      return a;  // a move
    }
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
    const double r = m.rnd == Rnd::none ? a : (is_nan(a) ? quieted(a) : to_integral(m.rnd, a));
    return m.sat ? saturate(r) : r;
  }
};

// To a narrower format: rounds, and says how. Subnormal f32 results of f64 flush with .ftz; a NaN keeps its sign and the
// upper bits of its payload (measured on an H200).
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
    const uint64_t kept = bits_of(a) | 0x0008000000000000u;
    const auto nan = static_cast<uint32_t>((kept >> 32 & 0x80000000u) | 0x7f800000u | (kept >> 29 & 0x7fffffu));
    const float r = finish(m, narrow(m.rnd, a));
    return is_nan(a) && !m.sat ? f32_of(nan) : r;
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
    const double x = m.ftz ? canonical(flush(a)) : a, r = is_nan(x) ? quieted(x) : x;
    return m.sat ? saturate(r) : r;
  }
};

using ConvertIntOps = OpList<CvtInt>;
using ConvertToIntOps = OpList<CvtF32ToInt, CvtF64ToInt, CvtF16ToInt, CvtBf16ToInt>;
using ConvertToFloatOps = OpList<CvtIntToFloat, CvtF32F32, CvtF64F64, CvtF32F64, CvtF64F32>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
