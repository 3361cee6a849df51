#pragma once
// Integer arithmetic that C++ does not give: wrapping, high halves, saturation, division that never traps.
#include <cstdint>
#include <limits>
#include <type_traits>

#include "simulator/isa/lane_loop.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Arithmetic wraps in PTX; in C++ only unsigned does. 16-bit products would promote to (signed) int: go through u32.
template <class T>
using Wrap = std::conditional_t<sizeof(T) < 4, uint32_t, std::make_unsigned_t<T>>;

template <class T>
struct TwiceOf;
template <>
struct TwiceOf<uint16_t> {
  using type = uint32_t;
};
template <>
struct TwiceOf<int16_t> {
  using type = int32_t;
};
template <>
struct TwiceOf<uint32_t> {
  using type = uint64_t;
};
template <>
struct TwiceOf<int32_t> {
  using type = int64_t;
};
template <class T>
using Twice = typename TwiceOf<T>::type;

template <class T>
constexpr T clamp_to(int64_t x) {
  constexpr int64_t kLeast = std::numeric_limits<T>::min();
  constexpr int64_t kMost = std::numeric_limits<T>::max();
  return static_cast<T>(x > kMost ? kMost : x < kLeast ? kLeast : x);
}

template <class T>
constexpr T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
}

// High half of an unsigned 64 x 64 product, from 32-bit halves: vectorises, and needs no 128-bit type.
constexpr uint64_t umul_hi64(uint64_t a, uint64_t b) {
  const uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
  const uint64_t mid = ah * bl + (al * bl >> 32);
  const uint64_t mid2 = al * bh + (mid & 0xffffffffu);
  return ah * bh + (mid >> 32) + (mid2 >> 32);
}

template <class T>
constexpr T mul_hi(T a, T b) {
  if constexpr (sizeof(T) < 8) {
    return static_cast<T>((static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b)) >>
                          std::numeric_limits<uint8_t>::digits * static_cast<int>(sizeof(T)));
  } else {
    const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
    uint64_t high = umul_hi64(ua, ub);
    if constexpr (std::is_signed_v<T>) {
      high -= (a < 0 ? ub : 0) + (b < 0 ? ua : 0);
    }
    return static_cast<T>(high);
  }
}

template <class T>
constexpr int64_t product24(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    const int64_t x = static_cast<int32_t>(static_cast<uint32_t>(a) << 8) >> 8;
    const int64_t y = static_cast<int32_t>(static_cast<uint32_t>(b) << 8) >> 8;
    return x * y;
  } else {
    return static_cast<int64_t>(uint64_t{a & 0xffffffu} * (b & 0xffffffu));
  }
}

// What the code that ptxas emits for a division leaves when the divisor is zero: all ones for quotient and remainder
// (measured on an H200).
template <class T>
inline constexpr T kDividedByZero = static_cast<T>(~T{0});

// a / b rounded toward zero; min / -1 wraps to min; b == 0 gives any value, but no trap (idle lanes are computed too).
// Up to 32 bits the double quotient truncates to the right integer: a / b is at least 2^-32 (relative) away from the
// next integer, more than the rounding error.
template <class T>
constexpr T quotient(T a, T b) {
  if constexpr (sizeof(T) < 8) {
    const double divisor = b == 0 ? 1.0 : static_cast<double>(b);
    return static_cast<T>(static_cast<int64_t>(static_cast<double>(a) / divisor));
  } else if constexpr (std::is_signed_v<T>) {
    return b == -1 ? static_cast<T>(uint64_t{0} - static_cast<uint64_t>(a)) : a / (b == 0 ? T{1} : b);
  } else {
    return a / (b == 0 ? T{1} : b);
  }
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
