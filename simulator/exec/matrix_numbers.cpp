#include "simulator/exec/detail/matrix_numbers.hpp"

#include <algorithm>
#include <bit>

namespace hpml::sim::exec {

using isa::Element;

Format format_of(Element type) {
  switch (type) {
    case Element::f16: return {5, 10, 0};
    case Element::bf16: return {8, 7, 0};
    case Element::tf32: return {8, 10, 13};
    case Element::f32: return {8, 23, 0};
    case Element::e4m3: return {4, 3, 0, false};
    case Element::e5m2: return {5, 2, 0};
    case Element::e3m2: return {3, 2, 0, false, false};
    case Element::e2m3: return {2, 3, 0, false, false};
    case Element::e2m1: return {2, 1, 2, false, false};
    case Element::e2m1_packed: return {2, 1, 0, false, false};
    case Element::none:
    case Element::f64:
    case Element::s8:
    case Element::u8:
    case Element::s4:
    case Element::u4:
    case Element::b1:
    case Element::s32: break;
  }
  return {8, 23, 0};
}

Number unpack(const Format& f, uint64_t raw) {
  const uint64_t word = raw >> f.unused;
  const int bias = (1 << (f.exponent_bits - 1)) - 1, top = (1 << f.exponent_bits) - 1;
  const int exponent = static_cast<int>(word >> f.fraction) & top;
  const auto fraction = static_cast<int32_t>(word & ((uint64_t{1} << f.fraction) - 1));
  const bool negative = (word >> (f.fraction + f.exponent_bits) & 1) != 0;
  Number out;
  const int least_nan = f.has_infinity ? 1 : (1 << f.fraction) - 1;
  out.nan = f.has_nan && exponent == top && fraction >= least_nan;
  out.infinite = f.has_infinity && exponent == top && fraction == 0;
  const int32_t magnitude = exponent == 0 ? fraction : fraction | 1 << f.fraction;
  out.significand = negative ? -magnitude : magnitude;
  out.exponent = magnitude == 0 ? kZeroExponent : std::max(exponent, 1) - bias;
  return out;
}

Number scaled(const Number& n, isa::Scale scale, uint8_t raw) {
  Number out = n;
  if (scale == isa::Scale::ue8m0) {
    out.nan |= raw == 0xff;
    out.exponent += n.significand == 0 ? 0 : raw - 127;
  } else {
    const Number factor = unpack({4, kScaleFraction, 0, false}, raw & 0x7fu);
    out.nan |= factor.nan;
    out.significand *= factor.significand;
    out.exponent = out.significand == 0 ? kZeroExponent : n.exponent + factor.exponent;
  }
  return out;
}

uint32_t cut_to_f32(int64_t sum, int exponent, int fraction) {
  if (sum == 0) {
    return 0;
  }
  const uint32_t sign = sum < 0 ? 0x8000'0000u : 0u;
  auto magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  const int width = 64 - std::countl_zero(magnitude);
  constexpr int kLowest = -149;  // of a subnormal's last bit
  const int last = std::max(exponent + width - 24, kLowest);
  const int shift = last - exponent;
  magnitude = shift >= 64 ? 0 : shift >= 0 ? magnitude >> shift : magnitude << -shift;
  magnitude &= ~((uint64_t{1} << (23 - fraction)) - 1);
  if (magnitude == 0) {
    return 0;
  }
  if ((magnitude & 1u << 23) == 0) {
    return sign | static_cast<uint32_t>(magnitude);
  }
  const int biased = last + 23 + 127;
  return biased >= 255 ? sign | 0x7f80'0000u : sign | static_cast<uint32_t>(biased) << 23 | (magnitude & 0x7f'ffff);
}

uint16_t round_to_f16(int64_t sum, int exponent) {
  if (sum == 0) {
    return 0;
  }
  const auto sign = static_cast<uint16_t>(sum < 0 ? 0x8000 : 0);
  auto magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  const int width = 64 - std::countl_zero(magnitude);
  constexpr int kLowest = -24;
  int last = std::max(exponent + width - 11, kLowest);
  const int shift = last - exponent;
  if (shift > 0) {
    const uint64_t kept = shift >= 64 ? 0 : magnitude >> shift;
    const uint64_t rest = shift >= 64 ? magnitude : magnitude & ((uint64_t{1} << shift) - 1);
    const uint64_t half = shift > 64 ? ~uint64_t{0} : uint64_t{1} << (shift - 1);
    magnitude = kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
  } else {
    magnitude <<= -shift;
  }
  if (magnitude == 0) {
    return 0;
  }
  if (magnitude == 1u << 11) {
    magnitude >>= 1;
    ++last;
  }
  if ((magnitude & 1u << 10) == 0) {
    return static_cast<uint16_t>(sign | magnitude);
  }
  const int biased = last + 10 + 15;
  return static_cast<uint16_t>(biased >= 31 ? sign | 0x7c00 : sign | biased << 10 | (magnitude & 0x3ff));
}

}  // namespace hpml::sim::exec
