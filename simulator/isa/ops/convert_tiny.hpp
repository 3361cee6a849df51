#pragma once
// cvt from and to the formats of eight bits and less, and cvt.pack (PTX ISA 9.0, 9.7.9).
#include "simulator/isa/ops/convert.hpp"
#include "simulator/isa/ops/tiny_kernels.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Two values in one register, the second operand (the lower half of a packed one) below. e2m1 takes four bits each.
template <Ty T>
inline constexpr int kTinyShift = T == Ty::e2m1x2 ? 4 : 8;
template <Ty T>
inline uint16_t tiny_pair(bool relu, double upper, double lower) {
  return static_cast<uint16_t>(to_tiny<T>(relu, upper) << kTinyShift<T> | to_tiny<T>(relu, lower));
}
struct TinyConversion {
  static constexpr Lat latency(Ty, Ty) { return Lat::conv; }
};
constexpr Spec tiny_spec(std::string_view fixed, std::string_view syntax, int min_ptx, int min_sm) {
  return {.mnemonic = "cvt",
          .fixed = fixed,
          .syntax = syntax,
          .section = "Data Movement: cvt",
          .accept = Accept::relu,
          .min_ptx = min_ptx,
          .min_sm = min_sm};
}
template <Ty T>
struct CvtTiny : TinyConversion {
  static constexpr bool kWide = T == Ty::e4m3x2 || T == Ty::e5m2x2;
  static constexpr Spec spec = tiny_spec("rn satfinite", "cvt.rn.satfinite{.relu}.dtype.f32 d, a, b", kWide ? 81 : 86,
                                         kWide ? 89 : 100);
  using types = TypePairs<TypePair<T, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a, S b) {
    return tiny_pair<T>(m.relu, a, b);
  }
};
template <Ty T>
struct CvtTinyOfHalves : TinyConversion {
  static constexpr bool kWide = CvtTiny<T>::kWide;
  static constexpr Spec spec =
      tiny_spec("rn satfinite", "cvt.rn.satfinite{.relu}.dtype.f16x2 d, a", kWide ? 81 : 86, kWide ? 89 : 100);
  using types = TypePairs<TypePair<T, Ty::f16x2>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return tiny_pair<T>(m.relu, to_f32(F16{static_cast<uint16_t>(a.bits >> 16)}),
                        to_f32(F16{static_cast<uint16_t>(a.bits)}));
  }
};
template <Ty T>
struct CvtHalvesOfTiny : TinyConversion {
  static constexpr bool kWide = CvtTiny<T>::kWide;
  static constexpr Spec spec = tiny_spec("rn", "cvt.rn{.relu}.f16x2.atype d, a", kWide ? 81 : 86, kWide ? 89 : 100);
  using types = TypePairs<TypePair<Ty::f16x2, T>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    const auto half = [m](uint32_t bits) {
      const F16 h = to_half<F16>(Rnd::rn, of_tiny<T>(bits));
      return static_cast<uint32_t>((m.relu ? relu_half(h) : h).bits);
    };
    constexpr uint32_t kMask = (1u << kTinyShift<T>) - 1;
    return {half(a & kMask) | half((a >> kTinyShift<T>) & kMask) << 16};
  }
};

constexpr Spec ue8m0_spec(std::string_view syntax) {
  return {.mnemonic = "cvt",
          .syntax = syntax,
          .section = "Data Movement: cvt",
          .accept = Accept::rnd | Accept::satfinite,
          .min_ptx = 86,
          .min_sm = 100,
          .required = Accept::rnd,
          .legal = [](const Mods& m, Ty, Ty) { return m.rnd == Rnd::rz || m.rnd == Rnd::rp; }};
}
struct CvtUe8m0 : TinyConversion {
  static constexpr Spec spec = ue8m0_spec("cvt.frnd3{.satfinite}.ue8m0x2.f32 d, a, b");
  using types = TypePairs<TypePair<Ty::ue8m0x2, Ty::f32>>;
  template <class D, class S>
  static D eval(Mods m, S a, S b) {
    return static_cast<D>(to_ue8m0(m, a) << 8 | to_ue8m0(m, b));
  }
};
struct CvtUe8m0OfBf16 : TinyConversion {
  static constexpr Spec spec = ue8m0_spec("cvt.frnd3{.satfinite}.ue8m0x2.bf16x2 d, a");
  using types = TypePairs<TypePair<Ty::ue8m0x2, Ty::bf16x2>>;
  template <class D, class S>
  static D eval(Mods m, S a) {
    return static_cast<D>(to_ue8m0(m, f32_of(a.bits & 0xffff0000u)) << 8 | to_ue8m0(m, f32_of(a.bits << 16)));
  }
};
struct CvtBf16OfUe8m0 : TinyConversion {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .fixed = "rn",
                             .syntax = "cvt.rn.bf16x2.ue8m0x2 d, a",
                             .section = "Data Movement: cvt",
                             .min_ptx = 86,
                             .min_sm = 100};
  using types = TypePairs<TypePair<Ty::bf16x2, Ty::ue8m0x2>>;
  template <class D, class S>
  static D eval(Mods, S a) {
    return {uint32_t{of_ue8m0(a & 0xffu).bits} | uint32_t{of_ue8m0(a >> 8).bits} << 16};
  }
};

// cvt.pack: a and b saturated to a narrow type and packed, b below; the 2- to 8-bit forms shift c in behind them. The
// narrow type is Mods::mode.
template <bool kSigned>
inline uint32_t saturated_field(int32_t x, int bits) {
  const int64_t most = kSigned ? (int64_t{1} << (bits - 1)) - 1 : (int64_t{1} << bits) - 1;
  const int64_t least = kSigned ? -most - 1 : 0;
  return static_cast<uint32_t>(std::clamp<int64_t>(x, least, most)) & ((1u << bits) - 1);
}
inline uint32_t packed_fields(bool is_signed, int bits, int32_t a, int32_t b) {
  return is_signed ? saturated_field<true>(a, bits) << bits | saturated_field<true>(b, bits)
                   : saturated_field<false>(a, bits) << bits | saturated_field<false>(b, bits);
}
struct CvtPack {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .fixed = "pack sat",
                             .syntax = "cvt.pack.sat.convertType.s32 d, a, b",
                             .section = "Data Movement: cvt.pack",
                             .accept = Accept::mode,
                             .modes = {"u16", "s16"},
                             .min_ptx = 65,
                             .min_sm = 72};
  using types = Types<Ty::s32>;
  static constexpr Lat latency(Ty) { return Lat::conv; }
  template <class T>
  static uint32_t eval(Mods m, T a, T b) {
    return packed_fields(m.mode == 1, 16, a, b);
  }
};
struct CvtPackShift {
  static constexpr Spec spec{.mnemonic = "cvt",
                             .fixed = "pack sat",
                             .syntax = "cvt.pack.sat.convertType.s32.b32 d, a, b, c",
                             .section = "Data Movement: cvt.pack",
                             .accept = Accept::mode,
                             .modes = {"u2", "s2", "u4", "s4", "u8", "s8"},
                             .min_ptx = 65,
                             .min_sm = 72};
  using types = TypePairs<TypePair<Ty::s32, Ty::b32>>;
  static constexpr Lat latency(Ty, Ty) { return Lat::conv; }
  template <class T, class C>
  static uint32_t eval(Mods m, T a, T b, C c) {
    const int bits = 2 << (m.mode / 2);
    return c << (2 * bits) | packed_fields(m.mode % 2 == 1, bits, a, b);
  }
};

using ConvertTinyOps =
    OpList<CvtTiny<Ty::e4m3x2>, CvtTiny<Ty::e5m2x2>, CvtTiny<Ty::e2m3x2>, CvtTiny<Ty::e3m2x2>, CvtTiny<Ty::e2m1x2>,
           CvtTinyOfHalves<Ty::e4m3x2>, CvtTinyOfHalves<Ty::e5m2x2>, CvtTinyOfHalves<Ty::e2m1x2>, CvtHalvesOfTiny<Ty::e4m3x2>,
           CvtHalvesOfTiny<Ty::e5m2x2>, CvtHalvesOfTiny<Ty::e2m3x2>, CvtHalvesOfTiny<Ty::e3m2x2>,
           CvtHalvesOfTiny<Ty::e2m1x2>, CvtUe8m0, CvtUe8m0OfBf16, CvtBf16OfUe8m0, CvtPack, CvtPackShift>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
