#include "simulator/libraries/element.hpp"

#include <bit>
#include <cmath>

namespace hpml::sim::libraries {

std::optional<Element> element_of(int cuda_data_type) {
  switch (cuda_data_type) {
    case 0: return Element::f32;
    case 1: return Element::f64;
    case 2: return Element::f16;
    case 14: return Element::bf16;
    default: return std::nullopt;
  }
}

// IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits.
float from_half(uint16_t bits) {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  const uint32_t exponent = (bits >> 10) & 0x1F;
  const uint32_t fraction = bits & 0x3FF;
  if (exponent == 0) {  // zero and subnormal: fraction x 2^-24
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  const uint32_t wide = exponent == 31 ? 0x7F800000u : (exponent + 112) << 23;
  return std::bit_cast<float>(sign | wide | (fraction << 13));
}

uint16_t to_half(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) {
    return static_cast<uint16_t>(sign | 0x7FFF);  // NaN, as the hardware's canonical one
  }
  if (magnitude >= 0x477FF000) {  // 65520 and above round to infinity
    return static_cast<uint16_t>(sign | 0x7C00);
  }
  if (magnitude < 0x38800000) {  // below 2^-14: a multiple of 2^-24, ties to even by the default rounding
    const float scaled = std::ldexp(std::bit_cast<float>(magnitude), 24);
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(scaled)));
  }
  const uint32_t rounded = magnitude + 0xFFF + ((magnitude >> 13) & 1);
  return static_cast<uint16_t>(sign | ((rounded - (112u << 23)) >> 13));
}

uint16_t to_bfloat(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) {
    return 0x7FFF;
  }
  return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

}  // namespace hpml::sim::libraries
