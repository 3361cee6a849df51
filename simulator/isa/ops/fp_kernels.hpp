#pragma once
// IEEE arithmetic in the shapes PTX asks for: canonical NaN, ftz, sat, and the four rounding modes, all total and
// vectorisable. binary32 operations in a directed mode go through a double rounded to odd: a 53-bit value whose last
// bit is set whenever it is inexact rounds to 24 bits (or fewer) as the exact value would (Boldo and Melquiond,
// "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd").
#include <bit>
#include <cmath>
#include <cstdint>

#include "simulator/isa/lane_loop.hpp"
#include "simulator/isa/rounding.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }
inline uint64_t bits_of(double x) { return std::bit_cast<uint64_t>(x); }
inline float f32_of(uint32_t bits) { return std::bit_cast<float>(bits); }
inline double f64_of(uint64_t bits) { return std::bit_cast<double>(bits); }

template <class T>
constexpr bool is_nan(T x) {
  return x != x;
}
inline bool sign_of(float x) { return (bits_of(x) >> 31) != 0; }
inline bool sign_of(double x) { return (bits_of(x) >> 63) != 0; }

// PTX ISA 9.0, 9.7.3: a binary32 NaN result is canonical.
inline float canonical(float x) { return is_nan(x) ? f32_of(0x7fffffffu) : x; }
inline double canonical(double x) { return is_nan(x) ? f64_of(0x7ff8000000000000u) : x; }

// A binary64 NaN result is that of an operand with the quiet bit set, or 0xfff8000000000000 where no operand is NaN
// (measured on an H200). Of two NaN operands b wins; of three b, then c. x86 does the same but for the choice between
// several NaNs, so the others need no test there.
#if defined(__x86_64__)
inline constexpr bool kHostNanIsHardwares = true;
#else
inline constexpr bool kHostNanIsHardwares = false;
#endif
inline double quieted(double x) { return f64_of(bits_of(x) | 0x0008000000000000u); }
inline double quiet_nan(double r, double a) {
  if constexpr (kHostNanIsHardwares) {
    return r;
  }
  return !is_nan(r) ? r : is_nan(a) ? quieted(a) : f64_of(0xfff8000000000000u);
}
inline double quiet_nan(double r, double a, double b) { return is_nan(b) ? quieted(b) : quiet_nan(r, a); }
inline double quiet_nan(double r, double a, double b, double c) {
  return is_nan(b) ? quieted(b) : is_nan(c) ? quieted(c) : quiet_nan(r, a);
}
inline float quiet_nan(float r, float) { return canonical(r); }
inline float quiet_nan(float r, float, float) { return canonical(r); }
inline float quiet_nan(float r, float, float, float) { return canonical(r); }

// .ftz: subnormals become zeros of the same sign.
inline float flush(float x) {
  const uint32_t bits = bits_of(x);
  return f32_of((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
inline float flush_in(Mods m, float x) { return m.ftz ? flush(x) : x; }
// .sat: [0, 1], NaN and -0 give +0.
template <class T>
inline T saturate(T x) {
  return x > T{0} ? (x < T{1} ? x : T{1}) : T{0};
}
inline float finish(Mods m, float x) {
  const float kept = canonical(m.ftz ? flush(x) : x);
  return m.sat ? saturate(kept) : kept;
}
// .ftz of a product or a multiply-add looks at the result as it would be with an unbounded exponent: 1 - 2^-24 of the
// least normal number is zero, though it rounds up to that number as a subnormal one would (measured on an H200).
// `scaled` is the result times 2^32.
inline float finish_product(Mods m, float x, float scaled) {
  const float least = m.ftz ? 0x1p-94f : 0.0f;
  Mods rest = m;
  rest.ftz = false;
  return finish(rest, __builtin_fabsf(scaled) < least ? f32_of(bits_of(x) & 0x80000000u) : x);
}
inline constexpr float kTinyScale = 4294967296.0f;
// The same in a directed mode; `wide` is the result exact or rounded to odd.
inline float finish_product(Mods m, float x, double wide) {
  const bool away = m.rnd == Rnd::rp ? wide > 0 : m.rnd == Rnd::rm && wide < 0;
  const double least = m.ftz ? 0x1p-126 : 0.0, least_away = m.ftz ? 0x1p-126 - 0x1p-150 + 0x1p-179 : 0.0;
  Mods rest = m;
  rest.ftz = false;
  return finish(rest, __builtin_fabs(wide) < (away ? least_away : least) ? f32_of(bits_of(x) & 0x80000000u) : x);
}

inline float next_down(float x) {
  const uint32_t bits = bits_of(x);
  return f32_of(x > 0 ? bits - 1 : x < 0 ? bits + 1 : 0x80000001u);
}
inline float next_up(float x) {
  const uint32_t bits = bits_of(x);
  return f32_of(x > 0 ? bits + 1 : x < 0 ? bits - 1 : 1u);
}

// The neighbour that `mode` asks for instead of `nearest`, when nearest lies above / below the exact value.
inline float redirect(Rnd mode, float nearest, bool above, bool below) {
  const bool negative = sign_of(nearest);
  const bool down = above && (mode == Rnd::rm || (mode == Rnd::rz && !negative));
  const bool up = below && (mode == Rnd::rp || (mode == Rnd::rz && negative));
  return down ? next_down(nearest) : up ? next_up(nearest) : nearest;
}

// s + e (|e| below half an ulp of s) rounded to odd.
inline double to_odd(double s, double e) {
  const uint64_t bits = bits_of(s);
  const bool inexact = (e > 0) | (e < 0);  // false for the NaN that an infinite s leaves
  const bool away = (e > 0) == (s > 0);
  // Even: the neighbour on the other side of s + e. Without a condition on the last bit, which GCC does not vectorise.
  const uint64_t even = -(~bits & 1u), neighbour = away ? bits + 1 : bits - 1;
  return f64_of(inexact ? (neighbour & even) | (bits & ~even) : bits);
}
// a + b rounded to odd; the error of the sum by Knuth's TwoSum. Operands far from the overflow threshold.
inline double odd_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return to_odd(s, (a - (s - t)) + (b - t));
}

// An exact, or rounded-to-odd, double to binary32.
inline float narrow(Rnd mode, double x) {
  const auto nearest = static_cast<float>(x);
  return mode == Rnd::rn || mode == Rnd::none ? nearest : redirect(mode, nearest, nearest > x, nearest < x);
}

// --- binary32, rounded as `mode` says ---
// An exact zero sum of addends of different sign is -0 in mode rm only (IEEE 754, 6.3); a sum that only rounds to zero
// keeps its own sign.
inline float round_sum(Rnd mode, double sum, bool signs_differ) {
  return mode == Rnd::rm && sum == 0 && signs_differ ? -0.0f : narrow(mode, sum);
}
inline float add(Rnd mode, float a, float b) {
  if (mode == Rnd::rn || mode == Rnd::none) {
    return a + b;
  }
  return round_sum(mode, odd_sum(a, b), sign_of(a) != sign_of(b));
}
inline float mul(Rnd mode, float a, float b) {
  if (mode == Rnd::rn || mode == Rnd::none) {
    return a * b;
  }
  return narrow(mode, static_cast<double>(a) * b);
}
inline float fma(Rnd mode, float a, float b, float c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  if (mode == Rnd::rn || mode == Rnd::none) {
    return __builtin_fmaf(a, b, c);
  }
#endif
  const double product = static_cast<double>(a) * b;  // exact: 24 + 24 bits
  const double sum = odd_sum(product, c);
  return round_sum(mode, sum, sign_of(product) != sign_of(c));
}
inline float div(Rnd mode, float a, float b) {
  const float nearest = a / b;
  if (mode == Rnd::rn || mode == Rnd::none) {
    return nearest;
  }
  // nearest * b is exact in double; NaN (0 * inf) compares false: such quotients are exact.
  const double back = static_cast<double>(nearest) * b;
  const bool larger = back > a, smaller = back < a;
  return redirect(mode, nearest, sign_of(b) ? smaller : larger, sign_of(b) ? larger : smaller);
}
inline float sqrt(Rnd mode, float a) {
  const float nearest = __builtin_sqrtf(a);
  if (mode == Rnd::rn || mode == Rnd::none) {
    return nearest;
  }
  const double square = static_cast<double>(nearest) * nearest;
  return redirect(mode, nearest, square > a, square < a);
}

// --- binary64 ---
inline double add(Rnd mode, double a, double b) {
  return mode == Rnd::rn || mode == Rnd::none ? a + b : add_rounded(mode, a, b);
}
inline double mul(Rnd mode, double a, double b) {
  return mode == Rnd::rn || mode == Rnd::none ? a * b : mul_rounded(mode, a, b);
}
inline double fma(Rnd mode, double a, double b, double c) {
  return mode == Rnd::rn || mode == Rnd::none ? __builtin_fma(a, b, c) : fma_rounded(mode, a, b, c);
}
inline double div(Rnd mode, double a, double b) {
  return mode == Rnd::rn || mode == Rnd::none ? a / b : div_rounded(mode, a, b);
}
inline double sqrt(Rnd mode, double a) {
  return mode == Rnd::rn || mode == Rnd::none ? __builtin_sqrt(a) : sqrt_rounded(mode, a);
}

// Two NaNs give the canonical NaN (binary64: b's), one gives the other operand; +0 is larger than -0. .NaN: any NaN gives NaN.
template <bool kMax, class T>
inline T min_max_value(bool nan_wins, T a, T b) {
  const bool b_first = kMax ? (a < b || (a == b && sign_of(a))) : (b < a || (a == b && !sign_of(a)));
  const T ordered = b_first ? b : a;
  const T one_nan = is_nan(a) ? b : a;
  const bool unordered = is_nan(a) || is_nan(b);
  if constexpr (sizeof(T) == 8) {
    return is_nan(a) && is_nan(b) ? quieted(b) : unordered ? one_nan : ordered;
  }
  return canonical(unordered ? (nan_wins ? a + b : one_nan) : ordered);
}
// Compiles the lane loop for each rounding mode; for the nearest, once for each of .ftz and .sat.
template <class With>
[[gnu::always_inline]] inline void dispatch_rounding(const Mods& m, With with) {
  switch (m.rnd) {
    case Rnd::rz:
      return with([m] {
        Mods f = m;
        f.rnd = Rnd::rz;
        return f;
      });
    case Rnd::rm:
      return with([m] {
        Mods f = m;
        f.rnd = Rnd::rm;
        return f;
      });
    case Rnd::rp:
      return with([m] {
        Mods f = m;
        f.rnd = Rnd::rp;
        return f;
      });
    case Rnd::none:
    case Rnd::rn:
    case Rnd::rna:
    case Rnd::rs:
    case Rnd::rni:
    case Rnd::rzi:
    case Rnd::rmi:
    case Rnd::rpi: break;
  }
  if (m.sat) {
    return m.ftz ? with(FixedMods<Mods{.rnd = Rnd::rn, .ftz = true, .sat = true}>{})
                 : with(FixedMods<Mods{.rnd = Rnd::rn, .sat = true}>{});
  }
  return m.ftz ? with(FixedMods<Mods{.rnd = Rnd::rn, .ftz = true}>{}) : with(FixedMods<Mods{.rnd = Rnd::rn}>{});
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
