#pragma once
// Scalar video instructions (PTX ISA 9.0, 9.7.17). Operands are words, halves or bytes, extended by their types; the
// intermediate result is exact; then it is saturated, combined with c, or merged into c. ptxas emulates them since
// Maxwell, and where its code departs from the manual's pseudo-code, the rules here are those of the code (CUDA 13.0
// for sm_90a, measured on an H200).
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

template <class D>
constexpr int64_t video_limit(uint32_t d_code) {
  return (int64_t{1} << (part_bits(d_code) - (std::is_signed_v<D> ? 1 : 0))) - 1;
}
// Range of the destination type, or of an element of it.
template <class D>
constexpr int64_t video_saturated(int64_t x, uint32_t d_code) {
  const int64_t most = video_limit<D>(d_code);
  return std::clamp(x, std::is_signed_v<D> ? -most - 1 : int64_t{0}, most);
}
// A byte or the lower half is the lowest one of the result; the upper half is the result's own upper half.
constexpr uint32_t video_merge(uint32_t result, uint32_t c, uint32_t code) {
  const uint32_t place = ((~uint32_t{0}) >> (32 - part_bits(code))) << part_shift(code);
  const uint32_t moved = part_bits(code) == 16 ? result : result << part_shift(code);
  return (c & ~place) | (moved & place);
}
// Mods::mode: 0 merge, 1 add, 2 min, 3 max with c. The comparisons are those of 64-bit numbers of the type's sign.
template <class D>
constexpr uint32_t video_finish(Mods m, int64_t result, D c, uint32_t selectors) {
  if (m.mode == 0) {
    return video_merge(static_cast<uint32_t>(result), static_cast<uint32_t>(c), part_code(selectors, 2));
  }
  if (m.mode == 1) {
    return static_cast<uint32_t>(result) + static_cast<uint32_t>(c);
  }
  using Wide = std::conditional_t<std::is_signed_v<D>, int64_t, uint64_t>;
  const auto x = static_cast<Wide>(result), y = static_cast<Wide>(c);
  return static_cast<uint32_t>(m.mode == 2 ? std::min(x, y) : std::max(x, y));
}
// .sat of the sums, differences and choices: a part of a word has an upper limit alone, which bounds the result's bits
// as an unsigned number; an unsigned word has a lower limit alone.
template <class D>
constexpr int64_t video_sum_saturated(int64_t x, uint32_t code) {
  if (code != kWholeWord) {
    return std::min<int64_t>(static_cast<uint32_t>(x), video_limit<D>(code));
  }
  return std::is_signed_v<D> ? video_saturated<D>(x, code) : std::max<int64_t>(x, 0);
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
template <VideoFn F, class D, class A, class B>
constexpr int64_t video_result(Mods m, A a, B b, uint32_t selectors) {
  const int64_t x = video_value(F, part_of(a, part_code(selectors, 0)), part_of(b, part_code(selectors, 1)));
  if (m.sat) {
    return video_sum_saturated<D>(x, part_code(selectors, 2));
  }
  const bool wraps = std::is_signed_v<D> && (F == VideoFn::add || F == VideoFn::sub);
  return wraps ? int64_t{static_cast<int32_t>(x)} : x;
}
template <VideoFn F>
struct Video : VideoOp {
  static constexpr auto kIndex = static_cast<size_t>(F);
  static constexpr Spec spec = video_spec(kVideoNames[kIndex], kVideoSyntax[kIndex], false, Accept::sat);
  using types = VideoTypes;
  template <class D, class A, class B>
  static constexpr uint32_t eval(Mods m, A a, B b, uint32_t selectors) {
    return static_cast<uint32_t>(video_result<F, D>(m, a, b, selectors));
  }
};
template <VideoFn F>
struct VideoCombine : VideoOp {
  static constexpr auto kIndex = static_cast<size_t>(F);
  static constexpr Spec spec = video_spec(kVideoNames[kIndex], kVideoCombineSyntax[kIndex], true, Accept::sat);
  using types = VideoTypes;
  template <class D, class A, class B>
  static constexpr uint32_t eval(Mods m, A a, B b, D c, uint32_t selectors) {
    return video_finish<D>(m, video_result<F, D>(m, a, b, selectors), c, selectors);
  }
};

// Shift counts: .clamp stops at 32, .wrap counts modulo 32. .sat looks at the lower 34 bits of a left shift, and
// saturates to the whole word in front of a merge, too.
template <bool kLeft, bool kWrap, class D, class A, class B>
constexpr int64_t video_shift(Mods m, A a, B b, uint32_t selectors) {
  const int64_t x = part_of(a, part_code(selectors, 0)), count = part_of(b, part_code(selectors, 1));
  const int64_t n = kWrap ? count & 31 : std::min<int64_t>(count, 32);
  const int64_t shifted = kLeft ? static_cast<int64_t>(static_cast<uint64_t>(x) << n) : x >> n;
  if (!m.sat) {
    return shifted;
  }
  const int64_t seen = kLeft ? static_cast<int64_t>(static_cast<uint64_t>(shifted) << 30) >> 30 : shifted;
  return video_saturated<D>(seen, kWholeWord);
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
    return static_cast<uint32_t>(video_shift<kLeft, kWrap, D>(m, a, b, selectors));
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
    return video_finish<D>(m, video_shift<kLeft, kWrap, D>(m, a, b, selectors), c, selectors);
  }
};

// The result of a comparison is 0 or 1, of a's type where it is combined with c.
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
    return video_finish<A>(m, t ? 1 : 0, static_cast<A>(c), selectors);
  }
};

// (a * b) + c, negated as written, plus one with .po, shifted right, saturated to 32 bits of the final result's sign.
// Whole words are signed numbers in it, whatever their types.
constexpr int64_t video_factor(int64_t part, uint32_t code) {
  return code == kWholeWord ? int64_t{static_cast<int32_t>(part)} : part;
}
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
    const uint32_t a_code = part_code(selectors, 0), b_code = part_code(selectors, 1);
    const int64_t product = video_factor(part_of(a, a_code), a_code) * video_factor(part_of(b, b_code), b_code);
    const int64_t addend = static_cast<int32_t>(c);
    const int64_t sum = (minus_product ? -product : product) + (minus_c ? -addend : addend) + (kPlusOne ? 1 : 0);
    const int64_t scaled = is_signed || kScale == 0 ? sum >> kScale
                                                    : static_cast<int64_t>(static_cast<uint64_t>(sum) >> kScale);
    if (!m.sat) {
      return static_cast<uint32_t>(scaled);
    }
    return static_cast<uint32_t>(is_signed ? video_saturated<int32_t>(scaled, kWholeWord)
                                           : video_saturated<uint32_t>(scaled, kWholeWord));
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
