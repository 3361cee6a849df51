#pragma once
// binary16 and bfloat16 as values: exact widening to binary32 and one-step rounding of a double, in integer arithmetic
// that vectorises and does not depend on the host's half-precision instructions.
#include "simulator/isa/ops/fp_kernels.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline float to_f32(F16 h) {
  const uint32_t magnitude = (h.bits & 0x7fffu) << 13;
  // As a binary32 pattern the exponent is too small by 127 - 15; the product is exact, subnormals included.
  const uint32_t finite = bits_of(f32_of(magnitude) * 5192296858534827628530496329220096.0f);  // 2^112
  const uint32_t special = magnitude | 0x7f800000u;
  const bool is_special = (h.bits & 0x7c00u) == 0x7c00u;
  return f32_of((is_special ? special : finite) | (uint32_t{h.bits} & 0x8000u) << 16);
}
inline float to_f32(BF16 h) { return f32_of(uint32_t{h.bits} << 16); }

// Rounds a double, exact or rounded to odd, to a 16-bit format with ExponentBits and 15 - ExponentBits fraction bits.
// NaN is canonical (0x7fff). rna: to nearest, ties away from zero.
template <int ExponentBits>
inline uint16_t round_to_16(Rnd mode, double x) {
  constexpr int kFraction = 15 - ExponentBits;
  constexpr int64_t kBias = (1 << (ExponentBits - 1)) - 1;
  const uint64_t bits = bits_of(x);
  const bool negative = (bits >> 63) != 0;
  const auto exponent = static_cast<int64_t>((bits >> 52) & 0x7ff);
  const uint64_t significand = (bits & 0x000fffffffffffffu) | uint64_t{exponent != 0} << 52;
  // Value = significand * 2^(exponent - 1075); the result's last place is 2^(unit).
  const int64_t target = exponent - 1023 + kBias;  // biased exponent in the format
  const int64_t normal = std::max<int64_t>(target, 1), below = normal - target;
  const auto shift = static_cast<uint64_t>(std::min<int64_t>(52 - kFraction + below, 54));
  const uint64_t kept = significand >> shift;
  // Distances to the neighbours below and above. GCC vectorises no `1 << shift`.
  const uint64_t rest = significand - (kept << shift), missing = ((kept + 1) << shift) - significand;
  const bool inexact = rest != 0;
  const uint64_t from_middle = mode == Rnd::rna ? 1 : kept & 1u;  // the middle itself goes up
  const bool nearest_up = rest + from_middle > missing;
  const bool up = mode == Rnd::rz   ? false
                  : mode == Rnd::rm ? inexact && negative
                  : mode == Rnd::rp ? inexact && !negative
                                    : nearest_up;
  // The implicit bit of `kept` carries into the exponent field; so does a rounding overflow.
  const uint64_t base = static_cast<uint64_t>(normal - 1) << kFraction;
  const uint64_t magnitude = base + kept + (up ? 1 : 0);
  constexpr uint64_t kInfinity = ((uint64_t{1} << ExponentBits) - 1) << kFraction;
  const bool to_largest = mode == Rnd::rz || (mode == Rnd::rm && !negative) || (mode == Rnd::rp && negative);
  const bool infinite = exponent == 0x7ff;
  const uint64_t most = kInfinity - uint64_t{to_largest && !infinite};
  const uint64_t bounded = magnitude >= kInfinity ? most : magnitude;
  const uint64_t nan = uint64_t{is_nan(x)} * 0x7fff;
  return static_cast<uint16_t>(nan != 0 ? nan : bounded | (bits >> 63) << 15);
}

template <class H>
inline H to_half(Rnd mode, double x);
template <>
inline F16 to_half<F16>(Rnd mode, double x) {
  return {round_to_16<5>(mode, x)};
}
template <>
inline BF16 to_half<BF16>(Rnd mode, double x) {
  return {round_to_16<8>(mode, x)};
}

// .relu: negative results become +0; NaN stays canonical NaN.
template <class H>
inline H relu_half(H h) {
  const bool nan = is_nan(to_f32(h));
  return nan ? H{0x7fff} : (h.bits & 0x8000u) != 0 ? H{0} : h;
}
// .satfinite: infinity becomes the largest finite number.
template <class H>
inline H saturate_finite(H h) {
  constexpr uint32_t kInfinity = std::is_same_v<H, F16> ? 0x7c00 : 0x7f80;
  const bool infinite = (h.bits & 0x7fffu) == kInfinity;
  return infinite ? H{static_cast<uint16_t>((h.bits & 0x8000u) | (kInfinity - 1))} : h;
}

inline F16 flush(F16 h) { return {static_cast<uint16_t>((h.bits & 0x7c00u) == 0 ? h.bits & 0x8000u : h.bits)}; }
inline BF16 flush(BF16 h) { return h; }  // bf16 instructions have no .ftz

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
