#pragma once
// From random bits to numbers in an interval and to normal ones. In double, or rounded to float where NVIDIA's headers
// (curand_uniform.h, curand_normal.h) round: the same on machines whose C libraries differ in the last place.
#include <cmath>
#include <cstdint>
#include <numbers>

namespace hpml::sim::curand {

template <class T>
struct Pair {
  T first, second;
};

constexpr float kStep = 0x1p-32F;  // of 32 bits in (0, 1]
constexpr double kFine = 0x1p-53;

inline float to_float(uint32_t bits) { return static_cast<float>(bits) * kStep + kStep / 2; }
// 53 bits of two words.
inline double to_double(uint32_t low, uint32_t high) {
  return static_cast<double>(uint64_t{low} ^ uint64_t{high} << 21U) * kFine + kFine / 2;
}

// Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
inline Pair<float> box_muller(uint32_t x, uint32_t y) {
  constexpr float kTurn = static_cast<float>(2 * std::numbers::pi) * kStep;
  const float angle = static_cast<float>(y) * kTurn + kTurn / 2;
  const auto log = static_cast<float>(std::log(static_cast<double>(to_float(x))));
  const auto radius = static_cast<float>(std::sqrt(static_cast<double>(-2 * log)));
  return {static_cast<float>(std::sin(static_cast<double>(angle))) * radius,
          static_cast<float>(std::cos(static_cast<double>(angle))) * radius};
}
inline Pair<double> box_muller(double u, double turn) {
  const double radius = std::sqrt(-2 * std::log(u));
  const double angle = 2 * std::numbers::pi * turn;
  return {radius * std::sin(angle), radius * std::cos(angle)};
}

// The x below which a share p of normal numbers lies.
double normal_quantile(double p);

}  // namespace hpml::sim::curand
