#pragma once
// SIMD video instructions (PTX ISA 9.0, 9.7.18): two halves or four bytes, each selected from the halves or bytes of
// b:a; elements outside the mask are those of c, or with .add, the masked ones are summed up on c.
#include "simulator/isa/ops/video.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

template <int kCount, class T>
constexpr int64_t video_element(uint64_t source, uint32_t selectors, int i) {
  constexpr int kBits = 32 / kCount;
  const uint32_t number = (selectors >> (kElementBits * static_cast<uint32_t>(i))) & kElementMask;
  const auto field = static_cast<uint32_t>(source >> (number * kBits)) << (32 - kBits);
  return std::is_signed_v<T> ? int64_t{static_cast<int32_t>(field) >> (32 - kBits)} : int64_t{field >> (32 - kBits)};
}
// f(element of a, element of b) for each element; then the merge or the sum.
template <int kCount, class A, class B, class F>
constexpr uint32_t video_simd(bool accumulate, uint32_t a, uint32_t b, uint32_t c, uint32_t selectors, F f) {
  constexpr int kBits = 32 / kCount;
  constexpr uint32_t kField = (1u << kBits) - 1;
  const uint64_t source = uint64_t{b} << 32 | a;
  uint32_t merged = 0, sum = c;
  for (int i = 0; i < kCount; ++i) {
    const int64_t t = f(video_element<kCount, A>(source, selectors, i),
                        video_element<kCount, B>(source, selectors >> kSecondOperand, i));
    const bool written = ((selectors >> (kDestinationMask + static_cast<uint32_t>(i))) & 1u) != 0;
    const uint32_t field = written ? static_cast<uint32_t>(t) : c >> (kBits * i);
    merged |= (field & kField) << (kBits * i);
    sum += written ? static_cast<uint32_t>(t) : 0u;
  }
  return accumulate ? sum : merged;
}

enum class SimdFn : uint8_t { add, sub, avrg, absdiff, min, max };
constexpr int64_t simd_value(SimdFn fn, int64_t a, int64_t b) {
  switch (fn) {
    case SimdFn::add: return a + b;
    case SimdFn::sub: return a - b;
    case SimdFn::avrg: return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case SimdFn::absdiff: return a < b ? b - a : a - b;
    case SimdFn::min: return std::min(a, b);
    case SimdFn::max: return std::max(a, b);
  }
  return 0;
}
inline constexpr std::string_view kSimdNames[2][6] = {{"vadd2", "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2"},
                                                      {"vadd4", "vsub4", "vavrg4", "vabsdiff4", "vmin4", "vmax4"}};
inline constexpr std::string_view kSimdSyntax[2] = {
    "vop2.dtype.atype.btype{.sat}{.add} d{.mask}, a{.asel}, b{.bsel}, c",
    "vop4.dtype.atype.btype{.sat}{.add} d{.mask}, a{.asel}, b{.bsel}, c"};
constexpr Spec simd_spec(std::string_view root, std::string_view syntax, Accept more,
                         bool (*legal)(const Mods&, Ty, Ty)) {
  return {.mnemonic = root,
          .syntax = syntax,
          .section = "SIMD Video: vadd2, vadd4 and relatives",
          .accept = more | Accept::opt_mode,
          .modes = {"add"},
          .min_ptx = 30,
          .min_sm = 30,
          .legal = legal};
}
template <int kCount>
struct SimdVideo {
  static constexpr bool kScalarOnly = true;
  static constexpr Selectors kSelectors = kCount == 2 ? Selectors::halves : Selectors::bytes;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
};
template <SimdFn F, int kCount>
struct VideoSimd : SimdVideo<kCount> {
  static constexpr Spec spec =
      simd_spec(kSimdNames[kCount / 4][static_cast<size_t>(F)], kSimdSyntax[kCount / 4], Accept::sat,
                [](const Mods& m, Ty, Ty) { return !(m.sat && m.mode != 0); });
  using types = VideoTypes;
  template <class D, class A, class B>
  static constexpr uint32_t eval(Mods m, A a, B b, uint32_t c, uint32_t selectors) {
    constexpr uint32_t kPart = kCount == 2 ? kFirstHalf : kFirstByte;
    return video_simd<kCount, A, B>(m.mode == 1, static_cast<uint32_t>(a), static_cast<uint32_t>(b), c, selectors,
                                    [m](int64_t x, int64_t y) {
                                      const int64_t t = simd_value(F, x, y);
                                      return m.sat ? video_saturated<D>(t, kPart) : t;
                                    });
  }
};
template <int kCount>
struct VsetSimd : SimdVideo<kCount> {
  static constexpr Spec spec =
      simd_spec(kCount == 2 ? "vset2" : "vset4",
                kCount == 2 ? "vset2.atype.btype.cmp{.add} d{.mask}, a{.asel}, b{.bsel}, c"
                            : "vset4.atype.btype.cmp{.add} d{.mask}, a{.asel}, b{.bsel}, c",
                Accept::cmp, video_cmp_legal);
  using types = VideoSetTypes;
  template <class A, class B>
  static uint32_t eval(Mods m, A a, B b, uint32_t c, uint32_t selectors) {
    return video_simd<kCount, A, B>(m.mode == 1, static_cast<uint32_t>(a), static_cast<uint32_t>(b), c, selectors,
                                    [m](int64_t x, int64_t y) { return int64_t{compare(m.cmp, x, y) ? 1 : 0}; });
  }
};

using VideoSimdOps =
    OpList<VideoSimd<SimdFn::add, 2>, VideoSimd<SimdFn::sub, 2>, VideoSimd<SimdFn::avrg, 2>,
           VideoSimd<SimdFn::absdiff, 2>, VideoSimd<SimdFn::min, 2>, VideoSimd<SimdFn::max, 2>,
           VideoSimd<SimdFn::add, 4>, VideoSimd<SimdFn::sub, 4>, VideoSimd<SimdFn::avrg, 4>,
           VideoSimd<SimdFn::absdiff, 4>, VideoSimd<SimdFn::min, 4>, VideoSimd<SimdFn::max, 4>, VsetSimd<2>,
           VsetSimd<4>>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
