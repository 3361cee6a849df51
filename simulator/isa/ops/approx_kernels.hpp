#pragma once
// 2^x, log2, sine, cosine and tanh for the .approx instructions, in double with polynomials of our own: only IEEE
// operations, so every machine and ISA level gives the same bits (a C library would not), far within the bounds of the
// manual, and the lane loop vectorises. The steps around the polynomials are those that an H200 was seen to take:
// arguments in fixed point, results cut off instead of rounded. The hardware's own tables are not modelled.
#include "simulator/isa/ops/fp_kernels.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Adding and subtracting 1.5 * 2^52 rounds a double of magnitude below 2^51 to an integer, which the low bits of the
// sum hold.
inline constexpr double kToInteger = 6755399441055744.0;

// 2^f for |f| <= 1/2 by the series of exp(f ln 2) (relative error 2e-11).
inline double exp2_series(double x) {
  const double f = x * 0.69314718055994530942;
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
  return p;
}
// 2^x for |x| <= 1000: the integral part by the exponent field.
inline double exp2_kernel(double x) {
  const double shifted = x + kToInteger;
  return f64_of(bits_of(exp2_series(x - (shifted - kToInteger))) + (bits_of(shifted) << 52));
}
// The argument has 23 bits of a fraction, cut off; a negative one that is not integral is taken in ones' complement.
// The table is 0.4 of a unit in the last place high (all measured on an H200). The result for an |x| < 256.
inline float exp2_table(float x) {
  const auto magnitude = static_cast<int32_t>(f32_of(bits_of(x) & 0x7fffffffu) * 8388608.0f);
  const int32_t complement = (magnitude & 0x7fffff) != 0 ? ~magnitude : -magnitude;
  const int32_t fixed = sign_of(x) ? complement : magnitude;
  const double p = exp2_series(static_cast<double>((fixed & 0x7fffff) - 0x400000) * 1.1920928955078125e-7);
  const auto rounded = static_cast<float>(p * 1.41421356237309504880 + 4.76837158203125e-8);
  return static_cast<float>(f64_of(bits_of(static_cast<double>(rounded)) +
                                   (static_cast<uint64_t>(static_cast<int64_t>(fixed >> 23)) << 52)));
}
// A result that is subnormal is the square of the root's.
inline float exp2_approx(float x) {
  const float clamped = x > 200.0f ? 200.0f : x < -200.0f ? -200.0f : x;
  const bool low = clamped < -126.0f;
  const float r = exp2_table(is_nan(x) ? 0.0f : low ? clamped * 0.5f : clamped);
  return is_nan(x) ? x : low ? r * r : r;
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
// A double cut off to 24 significant bits, toward zero.
inline double cut_to_f32(double x) { return f64_of(bits_of(x) & ~uint64_t{0x1fffffff}); }

// The table is a little high, by about (7 - 4 (m - 1)) 2^-26 for a significand m (measured on an H200), except at 1.
// Subnormal numbers are scaled by 2^24 first.
inline float log2_approx(float x) {
  const uint32_t bits = bits_of(x);
  const bool ordinary = bits - 1 < 0x7f7fffffu, subnormal = bits < 0x00800000u;
  const float scaled = x * (subnormal ? 16777216.0f : 1.0f);
  const double m = f32_of((bits_of(scaled) & 0x007fffffu) | 0x3f800000u);
  const double high = (11.0 - 4.0 * m) * 1.490116119384765625e-8;  // 2^-26
  const auto cut = static_cast<float>(cut_to_f32(log2_kernel(scaled) + high)) - (subnormal ? 24.0f : 0.0f);
  const float result = bits == 0x3f800000u ? 0.0f : cut;
  const float special = (bits & 0x7fffffffu) == 0 ? -f32_of(0x7f800000u) : f32_of(0x7fffffffu);
  return ordinary ? result : bits == 0x7f800000u ? x : special;
}

// sin(x + quarter * pi / 2), quarter 0 or 1. The turns are x * (1 / 2 pi), a product of binary32 cut off toward zero,
// then 25 bits of their fraction, cut off; an odd quarter counts from its end in ones' complement. So arguments below
// 2^-25 turns give sin 0, and huge ones give sin 0 or cos 1.
inline float sin_approx(float x, uint64_t quarter) {
  constexpr double kPerTurn = 0.15915493667125701904;  // the binary32 number
  const double wide = x;
  const uint64_t sign = quarter == 0 ? bits_of(wide) & (uint64_t{1} << 63) : 0;
  const double turns = cut_to_f32(__builtin_fabs(wide) * kPerTurn);
  const double steps = turns < 16777216.0 ? turns * 33554432.0 : 0.0;
  const double nearest = (steps + kToInteger) - kToInteger;
  const uint64_t position = bits_of((nearest > steps ? nearest - 1.0 : nearest) + kToInteger);
  const uint64_t q = position + (quarter << 23);  // the quarter's number from bit 23 on
  const uint64_t inside = (position ^ (0 - ((q >> 23) & 1u))) & 0x7fffffu;
  const double angle = (f64_of(bits_of(kToInteger) | inside) - kToInteger) * 1.8725351414619534e-7;  // pi / 2 * 2^-23
  const double z = angle * angle, z2 = z * z;
  const double high = (-1.0 / 39916800 + z * (1.0 / 6227020800)) - z2 * (1.0 / 1307674368000);
  const double middle = (1.0 / 120 - z * (1.0 / 5040)) + z2 * (1.0 / 362880);
  const double sine = angle + angle * z * (-1.0 / 6 + z * (middle + z2 * z * high));
  const uint64_t signed_sine = bits_of(sine) ^ sign ^ ((q << 39) & (uint64_t{1} << 63));
  const auto result = static_cast<float>(f64_of(signed_sine));
  return (bits_of(x) & 0x7f800000u) == 0x7f800000u ? f32_of(0x7fffffffu) : result;
}

// (e^2x - 1) / (e^2x + 1); near zero, where that cancels, the series. Up to 2^-8 x itself, from 8 on 1 (measured on an
// H200).
inline float tanh_approx(float x) {
  const double wide = x;
  const double clamped = wide > 20.0 ? 20.0 : wide < -20.0 ? -20.0 : wide;
  const double z = wide * wide;
  const double series = wide * (1.0 + z * (-1.0 / 3 + z * (2.0 / 15)));
  const double e = exp2_kernel((is_nan(x) ? 0.0 : clamped) * 2.8853900817779268147);
  const bool small = wide < 0.0625 && wide > -0.0625;
  const auto result = static_cast<float>(small ? series : (e - 1.0) / (e + 1.0));
  const float magnitude = f32_of(bits_of(x) & 0x7fffffffu);
  const float one = f32_of(0x3f800000u | (bits_of(x) & 0x80000000u));
  return is_nan(x) || magnitude <= 0.00390625f ? x : magnitude >= 8.0f ? one : result;
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
