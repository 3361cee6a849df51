#pragma once
// Scalar video instructions (PTX ISA 9.0, 9.7.17). Operands are words, halves or bytes, extended by their types; the
// intermediate result is exact; then it is saturated, combined with c, or merged into c.
#include <algorithm>

#include "simulator/isa/ops/compare.hpp"
#include "simulator/isa/ops/int_kernels.hpp"
#include "simulator/isa/selectors.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

struct VideoOp {
  static constexpr bool kScalarOnly = true;  // emulated in a dozen instructions since Maxwell: rare
  static constexpr Selectors kSelectors = Selectors::scalar;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
};

// Width and place of a part.
constexpr int part_bits(uint32_t code) { return code == kWholeWord ? 32 : code < kFirstHalf ? 8 : 16; }
constexpr int part_shift(uint32_t code) {
  return static_cast<int>(code == kWholeWord  ? 0
                          : code < kFirstHalf ? 8 * (code - kFirstByte)
                                              : 16 * (code - kFirstHalf));
}
template <class T>
constexpr int64_t part_of(T word, uint32_t code) {
  const uint32_t field = static_cast<uint32_t>(word) >> part_shift(code) << (32 - part_bits(code));
  const int shift = 32 - part_bits(code);
  return std::is_signed_v<T> ? int64_t{static_cast<int32_t>(field) >> shift} : int64_t{field >> shift};
}
constexpr uint32_t part_code(uint32_t selectors, uint32_t operand) {
  return (selectors >> (kPartBits * operand)) & kPartMask;
}

// Range of the destination type, or of the part of it that is written.
template <class D>
constexpr int64_t video_saturated(int64_t x, uint32_t d_code) {
  const int bits = part_bits(d_code);
  const int64_t most = (int64_t{1} << (std::is_signed_v<D> ? bits - 1 : bits)) - 1;
  const int64_t least = std::is_signed_v<D> ? -most - 1 : 0;
  return std::clamp(x, least, most);
}
// Mods::mode: 0 merge, 1 add, 2 min, 3 max with c.
template <class D>
constexpr uint32_t video_finish(Mods m, int64_t result, D c, uint32_t selectors) {
  const uint32_t code = part_code(selectors, 2);
  const int64_t kept = m.sat ? video_saturated<D>(result, code) : result;
  switch (m.mode) {
    case 1: return static_cast<uint32_t>(kept + c);
    case 2: return static_cast<uint32_t>(std::min<int64_t>(kept, c));
    case 3: return static_cast<uint32_t>(std::max<int64_t>(kept, c));
  }
  const uint32_t field = static_cast<uint32_t>(~uint32_t{0}) >> (32 - part_bits(code));
  const uint32_t place = field << part_shift(code);
  return (static_cast<uint32_t>(c) & ~place) | ((static_cast<uint32_t>(kept) & field) << part_shift(code));
}

using VideoTypes = TypeTuples<TypeTuple<Ty::u32, Ty::u32, Ty::u32>, TypeTuple<Ty::u32, Ty::u32, Ty::s32>,
                              TypeTuple<Ty::u32, Ty::s32, Ty::u32>, TypeTuple<Ty::u32, Ty::s32, Ty::s32>,
                              TypeTuple<Ty::s32, Ty::u32, Ty::u32>, TypeTuple<Ty::s32, Ty::u32, Ty::s32>,
                              TypeTuple<Ty::s32, Ty::s32, Ty::u32>, TypeTuple<Ty::s32, Ty::s32, Ty::s32>>;
constexpr Spec video_spec(std::string_view root, std::string_view syntax, bool combines, Accept more) {
  Spec spec{.mnemonic = root,
            .syntax = syntax,
            .section = "Scalar Video: vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad, vset",
            .accept = combines ? more | Accept::opt_mode : more,
            .min_ptx = 20,
            .min_sm = 20};
  if (combines) {
    spec.modes = {"add", "min", "max"};
  }
  return spec;
}

enum class VideoFn : uint8_t { add, sub, absdiff, min, max };
constexpr int64_t video_value(VideoFn fn, int64_t a, int64_t b) {
  switch (fn) {
    case VideoFn::add: return a + b;
    case VideoFn::sub: return a - b;
    case VideoFn::absdiff: return a < b ? b - a : a - b;
    case VideoFn::min: return std::min(a, b);
    case VideoFn::max: return std::max(a, b);
  }
  return 0;
}
inline constexpr std::string_view kVideoNames[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax"};
inline constexpr std::string_view kVideoSyntax[] = {
    "vadd.dtype.atype.btype{.sat} d, a{.asel}, b{.bsel}", "vsub.dtype.atype.btype{.sat} d, a{.asel}, b{.bsel}",
    "vabsdiff.dtype.atype.btype{.sat} d, a{.asel}, b{.bsel}", "vmin.dtype.atype.btype{.sat} d, a{.asel}, b{.bsel}",
    "vmax.dtype.atype.btype{.sat} d, a{.asel}, b{.bsel}"};
inline constexpr std::string_view kVideoCombineSyntax[] = {
    "vadd.dtype.atype.btype{.sat}{.op2} d{.dsel}, a{.asel}, b{.bsel}, c",
    "vsub.dtype.atype.btype{.sat}{.op2} d{.dsel}, a{.asel}, b{.bsel}, c",
    "vabsdiff.dtype.atype.btype{.sat}{.op2} d{.dsel}, a{.asel}, b{.bsel}, c",
    "vmin.dtype.atype.btype{.sat}{.op2} d{.dsel}, a{.asel}, b{.bsel}, c",
    "vmax.dtype.atype.btype{.sat}{.op2} d{.dsel}, a{.asel}, b{.bsel}, c"};
template <VideoFn F>
struct Video : VideoOp {
  static constexpr auto kIndex = static_cast<size_t>(F);
  static constexpr Spec spec = video_spec(kVideoNames[kIndex], kVideoSyntax[kIndex], false, Accept::sat);
  using types = VideoTypes;
  template <class D, class A, class B>
  static constexpr uint32_t eval(Mods m, A a, B b, uint32_t selectors) {
    const int64_t result = video_value(F, part_of(a, part_code(selectors, 0)), part_of(b, part_code(selectors, 1)));
    return video_finish<D>(m, result, D{0}, selectors);
  }
};
template <VideoFn F>
struct VideoCombine : VideoOp {
  static constexpr auto kIndex = static_cast<size_t>(F);
  static constexpr Spec spec = video_spec(kVideoNames[kIndex], kVideoCombineSyntax[kIndex], true, Accept::sat);
  using types = VideoTypes;
  template <class D, class A, class B>
  static constexpr uint32_t eval(Mods m, A a, B b, D c, uint32_t selectors) {
    const int64_t result = video_value(F, part_of(a, part_code(selectors, 0)), part_of(b, part_code(selectors, 1)));
    return video_finish<D>(m, result, c, selectors);
  }
};

// Shift counts: .clamp stops at 32, .wrap counts modulo 32. Left by 32 nothing but the sign is left that matters:
// beyond the range of every destination, and zero in its low bits.
template <bool kLeft>
constexpr int64_t video_shift(bool wrap, int64_t a, int64_t count) {
  const int64_t n = wrap ? count & 31 : std::min<int64_t>(count, 32);
  if constexpr (kLeft) {
    const int64_t huge = int64_t{1} << 40;
    return n == 32 ? (a > 0 ? huge : a < 0 ? -huge : 0) : static_cast<int64_t>(static_cast<uint64_t>(a) << n);
  } else {
    return a >> n;
  }
}
using VideoShiftTypes = TypeTuples<TypeTuple<Ty::u32, Ty::u32, Ty::u32>, TypeTuple<Ty::u32, Ty::s32, Ty::u32>,
                                   TypeTuple<Ty::s32, Ty::u32, Ty::u32>, TypeTuple<Ty::s32, Ty::s32, Ty::u32>>;
template <bool kLeft, bool kWrap>
struct VideoShift : VideoOp {
  static constexpr Spec spec = [] {
    Spec s = video_spec(kLeft ? "vshl" : "vshr",
                        kLeft ? "vshl.dtype.atype.u32{.sat}.mode d, a{.asel}, b{.bsel}"
                              : "vshr.dtype.atype.u32{.sat}.mode d, a{.asel}, b{.bsel}",
                        false, Accept::sat);
    s.fixed = kWrap ? "wrap" : "clamp";
    return s;
  }();
  using types = VideoShiftTypes;
  template <class D, class A, class B>
  static constexpr uint32_t eval(Mods m, A a, B b, uint32_t selectors) {
    const int64_t x = part_of(a, part_code(selectors, 0)), n = part_of(b, part_code(selectors, 1));
    return video_finish<D>(m, video_shift<kLeft>(kWrap, x, n), D{0}, selectors);
  }
};
template <bool kLeft, bool kWrap>
struct VideoShiftCombine : VideoOp {
  static constexpr Spec spec = [] {
    Spec s = video_spec(kLeft ? "vshl" : "vshr",
                        kLeft ? "vshl.dtype.atype.u32{.sat}.mode{.op2} d{.dsel}, a{.asel}, b{.bsel}, c"
                              : "vshr.dtype.atype.u32{.sat}.mode{.op2} d{.dsel}, a{.asel}, b{.bsel}, c",
                        true, Accept::sat);
    s.fixed = kWrap ? "wrap" : "clamp";
    return s;
  }();
  using types = VideoShiftTypes;
  template <class D, class A, class B>
  static constexpr uint32_t eval(Mods m, A a, B b, D c, uint32_t selectors) {
    const int64_t x = part_of(a, part_code(selectors, 0)), n = part_of(b, part_code(selectors, 1));
    return video_finish<D>(m, video_shift<kLeft>(kWrap, x, n), c, selectors);
  }
};

// The result of a comparison is 0 or 1, unsigned.
using VideoSetTypes = TypePairs<TypePair<Ty::u32, Ty::u32>, TypePair<Ty::u32, Ty::s32>, TypePair<Ty::s32, Ty::u32>,
                                TypePair<Ty::s32, Ty::s32>>;
inline bool video_cmp_legal(const Mods& m, Ty, Ty) { return m.cmp >= Cmp::eq && m.cmp <= Cmp::ge; }
struct Vset : VideoOp {
  static constexpr Spec spec = [] {
    Spec s = video_spec("vset", "vset.atype.btype.cmp d, a{.asel}, b{.bsel}", false, Accept::cmp);
    s.legal = video_cmp_legal;
    return s;
  }();
  using types = VideoSetTypes;
  template <class A, class B>
  static uint32_t eval(Mods m, A a, B b, uint32_t selectors) {
    return compare(m.cmp, part_of(a, part_code(selectors, 0)), part_of(b, part_code(selectors, 1))) ? 1 : 0;
  }
};
struct VsetCombine : VideoOp {
  static constexpr Spec spec = [] {
    Spec s = video_spec("vset", "vset.atype.btype.cmp{.op2} d{.dsel}, a{.asel}, b{.bsel}, c", true, Accept::cmp);
    s.legal = video_cmp_legal;
    return s;
  }();
  using types = VideoSetTypes;
  template <class A, class B>
  static uint32_t eval(Mods m, A a, B b, uint32_t c, uint32_t selectors) {
    const bool t = compare(m.cmp, part_of(a, part_code(selectors, 0)), part_of(b, part_code(selectors, 1)));
    return video_finish<uint32_t>(m, t ? 1 : 0, c, selectors);
  }
};

// (a * b) + c, negated as written, plus one with .po, shifted right, saturated to 32 bits of the final result's sign.
__extension__ using VideoWide = __int128;
template <int kScale, bool kPlusOne>
struct Vmad : VideoOp {
  static constexpr Spec spec = [] {
    Spec s = video_spec("vmad",
                        kPlusOne ? "vmad.dtype.atype.btype.po{.sat}{.scale} d, a{.asel}, b{.bsel}, c"
                                 : "vmad.dtype.atype.btype{.sat}{.scale} d, {-}a{.asel}, {-}b{.bsel}, {-}c",
                        false, Accept::sat);
    s.fixed = kPlusOne ? (kScale == 7 ? "po shr7" : kScale == 15 ? "po shr15" : "po")
                       : (kScale == 7 ? "shr7" : kScale == 15 ? "shr15" : "");
    return s;
  }();
  using types = VideoTypes;
  static constexpr Lat latency(Ty) { return Lat::int_mul; }
  template <class D, class A, class B>
  static uint32_t eval(Mods m, A a, B b, uint32_t c, uint32_t selectors) {
    const uint32_t negations = selectors >> kNegateBit;
    const bool minus_product = ((negations ^ (negations >> 1)) & 1u) != 0, minus_c = (negations & 4u) != 0;
    const bool is_signed = std::is_signed_v<A> || std::is_signed_v<B> || minus_product || minus_c;
    const VideoWide product =
        VideoWide{part_of(a, part_code(selectors, 0))} * part_of(b, part_code(selectors, 1));
    const uint32_t addend = !kPlusOne && !minus_product && minus_c ? ~c : c;
    const VideoWide wide_c = is_signed ? VideoWide{static_cast<int32_t>(addend)} : VideoWide{addend};
    const bool plus_one = kPlusOne || minus_product || minus_c;
    const VideoWide sum = (minus_product && !kPlusOne ? ~product : product) + wide_c + (plus_one ? 1 : 0);
    const VideoWide scaled = sum >> kScale;
    const VideoWide least = is_signed ? VideoWide{std::numeric_limits<int32_t>::min()} : VideoWide{0};
    const VideoWide most = is_signed ? VideoWide{std::numeric_limits<int32_t>::max()}
                                     : VideoWide{std::numeric_limits<uint32_t>::max()};
    return static_cast<uint32_t>(m.sat ? std::clamp(scaled, least, most) : scaled);
  }
};

using VideoOps =
    OpList<Video<VideoFn::add>, Video<VideoFn::sub>, Video<VideoFn::absdiff>, Video<VideoFn::min>, Video<VideoFn::max>,
           VideoCombine<VideoFn::add>, VideoCombine<VideoFn::sub>, VideoCombine<VideoFn::absdiff>,
           VideoCombine<VideoFn::min>, VideoCombine<VideoFn::max>, VideoShift<true, false>, VideoShift<true, true>,
           VideoShift<false, false>, VideoShift<false, true>, VideoShiftCombine<true, false>,
           VideoShiftCombine<true, true>, VideoShiftCombine<false, false>, VideoShiftCombine<false, true>, Vset,
           VsetCombine, Vmad<0, false>, Vmad<7, false>, Vmad<15, false>, Vmad<0, true>, Vmad<7, true>, Vmad<15, true>>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
