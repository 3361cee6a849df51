#pragma once
// Formats of eight bits and less (PTX ISA 9.0, 5.2.3): sign, exponent, fraction, with the largest number and the NaN as
// the manual lists them; formats without a NaN take the largest number for it.
#include <algorithm>

#include "simulator/isa/ops/convert_kernels.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

struct TinyFormat {
  int exponent_bits, fraction_bits;
  uint32_t largest, nan;  // bit patterns without the sign
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr uint32_t sign() const { return 1u << (exponent_bits + fraction_bits); }
};
template <Ty T>
constexpr TinyFormat tiny_format() {
  static_assert(T == Ty::e4m3x2 || T == Ty::e5m2x2 || T == Ty::e2m3x2 || T == Ty::e3m2x2 || T == Ty::e2m1x2);
  return T == Ty::e4m3x2   ? TinyFormat{4, 3, 0x7e, 0x7f}
         : T == Ty::e5m2x2 ? TinyFormat{5, 2, 0x7b, 0x7f}
         : T == Ty::e2m3x2 ? TinyFormat{2, 3, 0x1f, 0x1f}
         : T == Ty::e3m2x2 ? TinyFormat{3, 2, 0x1f, 0x1f}
                           : TinyFormat{2, 1, 0x07, 0x07};
}

// To nearest even, beyond the largest number to the largest (.satfinite); NaN to the positive NaN.
template <Ty T>
inline uint32_t to_tiny(bool relu, double x) {
  constexpr TinyFormat kFormat = tiny_format<T>();
  const double magnitude = std::min(is_nan(x) ? 0.0 : __builtin_fabs(x), 1048576.0);  // 2^20: beyond every format
  const auto exponent = static_cast<int>(bits_of(magnitude) >> 52) - 1023;
  const int place = std::max(exponent, 1 - kFormat.bias());
  const double scale = f64_of(static_cast<uint64_t>(1023 + kFormat.fraction_bits - place) << 52);
  const auto units = static_cast<uint32_t>(__builtin_rint(magnitude * scale));
  const uint32_t bits = units + (static_cast<uint32_t>(place + kFormat.bias() - 1) << kFormat.fraction_bits);
  const bool negative = sign_of(x);
  const uint32_t signed_bits = std::min(bits, kFormat.largest) | (negative ? kFormat.sign() : 0u);
  return is_nan(x) ? kFormat.nan : relu && negative ? 0u : signed_bits;
}

template <Ty T>
inline double of_tiny(uint32_t bits) {
  constexpr TinyFormat kFormat = tiny_format<T>();
  const uint32_t magnitude = bits & (kFormat.sign() - 1);
  const auto exponent = static_cast<int>(magnitude >> kFormat.fraction_bits);
  const uint32_t fraction = magnitude & ((1u << kFormat.fraction_bits) - 1);
  const uint32_t significand = exponent == 0 ? fraction : fraction | 1u << kFormat.fraction_bits;
  const int place = std::max(exponent, 1) - kFormat.bias() - kFormat.fraction_bits;
  const double value = static_cast<double>(significand) * f64_of(static_cast<uint64_t>(1023 + place) << 52);
  const bool has_infinity = T == Ty::e5m2x2;  // the only one of IEEE's shape
  const bool infinite = has_infinity && magnitude == kFormat.largest + 1;
  const bool nan = kFormat.nan != kFormat.largest && magnitude > kFormat.largest && !infinite;
  const double special = infinite ? f64_of(0x7ff0000000000000u) : value;
  const double result = (bits & kFormat.sign()) != 0 ? -special : special;
  return nan ? f64_of(0x7ff8000000000000u) : result;
}

// ue8m0: the power of two at or below |x| (.rz), or at or above it (.rp); no zero, no sign; 0xff is NaN.
inline uint32_t to_ue8m0(Mods m, float x) {
  const uint32_t magnitude = bits_of(x) & 0x7fffffffu;
  const uint32_t down = magnitude >> 23;
  const bool above_power = (magnitude & 0x7fffffu) != 0 && magnitude > 0x00400000u && magnitude < 0x7f800000u;
  const uint32_t code = down + (m.rnd == Rnd::rp && above_power ? 1u : 0u);
  return m.satfinite && !is_nan(x) ? std::min(code, 0xfeu) : code;
}
inline BF16 of_ue8m0(uint32_t code) {
  return {static_cast<uint16_t>(code == 0xff ? 0x7fffu : code == 0 ? 0x0040u : code << 7)};
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
