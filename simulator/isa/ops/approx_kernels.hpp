#pragma once
// 2^x, log2, sine and cosine for the .approx instructions, in double with polynomials of our own: only IEEE operations,
// so every machine and ISA level gives the same bits (a C library would not), far within the bounds of the manual, and
// the lane loop vectorises. The result is rounded to binary32 by the caller.
#include "simulator/isa/ops/fp_kernels.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Adding and subtracting 1.5 * 2^52 rounds a double of magnitude below 2^51 to an integer, which the low bits of the
// sum hold.
inline constexpr double kToInteger = 6755399441055744.0;

// 2^x for |x| <= 1000: 2^k by the exponent field, 2^f, |f| <= 1/2, by the series of exp(f ln 2) (relative error 2e-11).
inline double exp2_kernel(double x) {
  const double shifted = x + kToInteger;
  const double f = (x - (shifted - kToInteger)) * 0.69314718055994530942;
  double p = 1.0 / 362880;
  p = p * f + 1.0 / 40320;
  p = p * f + 1.0 / 5040;
  p = p * f + 1.0 / 720;
  p = p * f + 1.0 / 120;
  p = p * f + 1.0 / 24;
  p = p * f + 1.0 / 6;
  p = p * f + 0.5;
  p = p * f + 1.0;
  p = p * f + 1.0;
  return f64_of(bits_of(p) + (bits_of(shifted) << 52));
}
inline float exp2_approx(float x) {
  const double wide = x;
  const double clamped = wide > 200.0 ? 200.0 : wide < -200.0 ? -200.0 : wide;
  return is_nan(x) ? x : static_cast<float>(exp2_kernel(is_nan(x) ? 0.0 : clamped));
}

// log2 of a positive finite double that is normal: exponent + 2/ln 2 * atanh((m-1)/(m+1)), m in [sqrt(1/2), sqrt(2)).
inline double log2_kernel(double x) {
  constexpr uint64_t kSqrtHalf = 0x3fe6a09e667f3bcdu;
  const uint64_t shifted = bits_of(x) - kSqrtHalf;
  const auto exponent = static_cast<int64_t>(shifted) >> 52;
  const double m = f64_of((shifted & 0x000fffffffffffffu) + kSqrtHalf);
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 17;
  p = p * z + 1.0 / 15;
  p = p * z + 1.0 / 13;
  p = p * z + 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  p = p * z + 1.0;
  return static_cast<double>(static_cast<int32_t>(exponent)) + 2.8853900817779268147 * s * p;
}
inline float log2_approx(float x) {
  const bool ordinary = x > 0 && bits_of(x) < 0x7f800000u;
  const auto result = static_cast<float>(log2_kernel(ordinary ? static_cast<double>(x) : 1.0));
  const float infinity = f32_of(0x7f800000u);
  return ordinary ? result : x == 0 ? -infinity : x == infinity ? infinity : f32_of(0x7fffffffu);
}

// sin(x + quarter * pi / 2). The argument in turns: its error is 2^-53 of it, 1e-14 for the |x| <= 100 pi that the
// manual gives a bound for; huge arguments lose all of the turn and give sin 0 or cos 0.
inline float sin_approx(float x, uint64_t quarter) {
  const double turns = static_cast<double>(x) * 0.15915494309189533577;
  const double huge = 281474976710656.0;  // 2^48: no fraction that matters
  const double quarters = (turns < huge && turns > -huge ? turns : 0.0) * 4.0;
  const double shifted = quarters + kToInteger;
  const double angle = (quarters - (shifted - kToInteger)) * 1.57079632679489661923;
  const double z = angle * angle;
  const double sine =
      angle + angle * z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800)))));
  const double cosine =
      1.0 + z * (-0.5 + z * (1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40320 + z * (-1.0 / 3628800 + z / 479001600)))));
  const uint64_t q = bits_of(shifted) + quarter;
  const double value = (q & 1u) != 0 ? cosine : sine;
  const auto result = static_cast<float>(f64_of(bits_of(value) ^ ((q & 2u) << 62)));
  return (bits_of(x) & 0x7f800000u) == 0x7f800000u ? f32_of(0x7fffffffu) : result;
}

// (e^2x - 1) / (e^2x + 1); near zero, where that cancels, the series.
inline float tanh_approx(float x) {
  const double wide = x;
  const double clamped = wide > 20.0 ? 20.0 : wide < -20.0 ? -20.0 : wide;
  const double z = wide * wide;
  const double series = wide * (1.0 + z * (-1.0 / 3 + z * (2.0 / 15)));
  const double e = exp2_kernel((is_nan(x) ? 0.0 : clamped) * 2.8853900817779268147);
  const bool small = wide < 0.0625 && wide > -0.0625;
  return is_nan(x) ? x : static_cast<float>(small ? series : (e - 1.0) / (e + 1.0));
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
