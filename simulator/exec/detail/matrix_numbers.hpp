#pragma once
// Elements of floating-point matrices as whole numbers and exponents, and the results made of them.
#include <cmath>
#include <cstdint>
#include <limits>

#include "simulator/isa/matrix/form.hpp"

namespace hpml::sim::exec {

// A floating-point format: value = significand * 2^(exponent - fraction).
struct Format {
  int exponent_bits, fraction, unused;  // unused: low bits of the word that are not looked at
  bool has_infinity = true, has_nan = true;
};
Format format_of(isa::Element type);

inline constexpr int32_t kZeroExponent = -10'000;  // of zero: never the largest

struct Number {
  int32_t significand = 0;  // signed
  int32_t exponent = kZeroExponent;
  bool infinite = false, nan = false;
  double special() const {
    return nan        ? std::numeric_limits<double>::quiet_NaN()
           : infinite ? std::copysign(std::numeric_limits<double>::infinity(), significand)
                      : significand;
  }
};

Number unpack(const Format& f, uint64_t raw);
// A factor of a block times an element. ue8m0: a power of two, 255 is NaN. ue4m3: as e4m3 without a sign.
inline constexpr int kScaleFraction = 3;  // of ue4m3
Number scaled(const Number& n, isa::Scale scale, uint8_t raw);

// NaNs of results.
inline constexpr uint32_t kNanF32 = 0x7fff'ffff;
inline constexpr uint16_t kNanF16 = 0x7fff;

// Results of sums. A sum that is too small for its type becomes +0, even a negative one. For f16 an H200 does so; for
// f32 it is assumed.

// sum * 2^exponent, cut off to f32 behind `fraction` bits, 23 at most.
uint32_t cut_to_f32(int64_t sum, int exponent, int fraction);
// sum * 2^exponent, rounded to nearest even.
uint16_t round_to_f16(int64_t sum, int exponent);

}  // namespace hpml::sim::exec
