#pragma once
// Value conversions that C++ leaves undefined or rounds in one mode only.
#include <limits>
#include <type_traits>

#include "simulator/isa/ops/half_kernels.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Rounds to an integral value in the direction of .rni .rzi .rmi .rpi (or the float modes of the same letters).
inline double to_integral(Rnd mode, double x) {
  switch (mode) {
    case Rnd::rzi:
    case Rnd::rz: return __builtin_trunc(x);
    case Rnd::rmi:
    case Rnd::rm: return __builtin_floor(x);
    case Rnd::rpi:
    case Rnd::rp: return __builtin_ceil(x);
    case Rnd::rni:
    case Rnd::rn:
    case Rnd::none:
    case Rnd::rs:
    case Rnd::rna: break;
  }
  return __builtin_rint(x);  // the host rounds to nearest even
}

// An integral double to an integer, clamped; NaN as PTX has it: 0 when neither side has 64 bits, else the top bit.
template <class D>
inline D clamp_integral(double x, bool source_is_f64) {
  constexpr bool kSigned = std::is_signed_v<D>;
  constexpr int kBits = 8 * static_cast<int>(sizeof(D));
  constexpr auto kMost = std::numeric_limits<D>::max();
  constexpr auto kLeast = std::numeric_limits<D>::min();
  constexpr double kLimit =
      kSigned ? static_cast<double>(uint64_t{1} << (kBits - 1)) : 2.0 * static_cast<double>(uint64_t{1} << (kBits - 1));
  constexpr D kTop = static_cast<D>(uint64_t{1} << (kBits - 1));
  const bool high = x >= kLimit, low = x < (kSigned ? -kLimit : 0.0), nan = is_nan(x);
  const double inside = high || low || nan ? 0.0 : x;
  D value;
  if constexpr (sizeof(D) < 8) {
    value = static_cast<D>(static_cast<int64_t>(inside));
  } else {
    value = static_cast<D>(inside);
  }
  const D of_nan = source_is_f64 || sizeof(D) == 8 ? kTop : D{0};
  return nan ? of_nan : high ? kMost : low ? kLeast : value;
}

// A 64-bit integer as a double rounded to odd: its halves are exact in double.
inline double odd_double(int64_t x) {
  return odd_sum(static_cast<double>(static_cast<int32_t>(x >> 32)) * 4294967296.0,
                 static_cast<double>(static_cast<uint32_t>(x)));
}
inline double odd_double(uint64_t x) {
  return odd_sum(static_cast<double>(static_cast<uint32_t>(x >> 32)) * 4294967296.0,
                 static_cast<double>(static_cast<uint32_t>(x)));
}
template <class S>
inline double odd_double_of(S x) {
  if constexpr (sizeof(S) < 8) {
    return static_cast<double>(x);
  } else {
    return odd_double(x);
  }
}

// An integer to binary64 in any mode; only 64-bit integers are ever inexact.
template <class S>
inline double int_to_f64(Rnd mode, S x) {
  if constexpr (sizeof(S) < 8) {
    return static_cast<double>(x);
  } else {
    if (mode == Rnd::rn) {
      return static_cast<double>(x);
    }
    const double high = std::is_signed_v<S>
                            ? static_cast<double>(static_cast<int32_t>(static_cast<int64_t>(x) >> 32))
                            : static_cast<double>(static_cast<uint32_t>(static_cast<uint64_t>(x) >> 32));
    const double low = static_cast<double>(static_cast<uint32_t>(x));
    const double upper = high * 4294967296.0;
    const double nearest = upper + low;
    const double error = low - (nearest - upper);  // exact: |upper| >= low, or upper is 0
    const uint64_t bits = bits_of(nearest);
    const bool negative = nearest < 0;
    const bool down = error < 0 && (mode == Rnd::rm || (mode == Rnd::rz && !negative));
    const bool up = error > 0 && (mode == Rnd::rp || (mode == Rnd::rz && negative));
    return f64_of(down ? (negative ? bits + 1 : bits - 1) : up ? (negative ? bits - 1 : bits + 1) : bits);
  }
}

template <class T>
inline double to_f64(T x) {
  if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, BF16>) {
    return to_f32(x);
  } else {
    return x;
  }
}
// An exact or rounded-to-odd double to any float type.
template <class D>
inline D from_f64(Rnd mode, double x) {
  if constexpr (std::is_same_v<D, float>) {
    return canonical(narrow(mode, x));
  } else if constexpr (std::is_same_v<D, double>) {
    return canonical(x);
  } else {
    return to_half<D>(mode, x);
  }
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
