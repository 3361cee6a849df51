// MRG32k3a: two recurrences of order three, combined (L'Ecuyer, "Good Parameters and Implementations for Combined
// Multiple Recursive Random Number Generators", 1999).
#include <array>

#include "simulator/curand/lanes.hpp"

namespace hpml::sim::curand {
namespace {

constexpr uint64_t kModulus1 = 4294967087, kModulus2 = 4294944443;
constexpr double kUnit = 2.3283065498378288e-10;  // from 1 ... kModulus1 to (0, 1]
constexpr double kAllBits = 1.000000048662;       // and to 32 bits

using Vector = std::array<uint64_t, 3>;
using Matrix = std::array<Vector, 3>;  // rows
constexpr Matrix kStep1 = {{{0, 1, 0}, {0, 0, 1}, {kModulus1 - 810728, 1403580, 0}}};
constexpr Matrix kStep2 = {{{0, 1, 0}, {0, 0, 1}, {kModulus2 - 1370589, 0, 527612}}};

template <uint64_t Modulus>
Vector times(const Matrix& a, const Vector& x) {
  Vector y{};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      y[i] = (y[i] + a[i][k] * x[k] % Modulus) % Modulus;
    }
  }
  return y;
}

template <uint64_t Modulus>
Matrix times(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (size_t j = 0; j < 3; ++j) {
    const Vector column = times<Modulus>(a, Vector{b[0][j], b[1][j], b[2][j]});
    for (size_t i = 0; i < 3; ++i) {
      c[i][j] = column[i];
    }
  }
  return c;
}

// `power` steps, 2^doubled times over.
template <uint64_t Modulus>
Matrix jump(Matrix step, uint64_t power, int doubled = 0) {
  for (int i = 0; i < doubled; ++i) {
    step = times<Modulus>(step, step);
  }
  Matrix result = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (; power != 0; power >>= 1U) {
    if ((power & 1U) != 0) {
      result = times<Modulus>(result, step);
    }
    step = times<Modulus>(step, step);
  }
  return result;
}

struct Mrg {
  static constexpr size_t kLanes = 81920;
  static constexpr int kApart = 76;  // they are 2^76 steps apart

  static Mrg seeded(uint64_t seed);
  static std::vector<Mrg> lanes(uint64_t seed, uint64_t steps, uint64_t more);

  Vector s1{}, s2{};

  double next() {  // 1 ... kModulus1
    s1 = {s1[1], s1[2], (kStep1[2][1] * s1[1] % kModulus1 + kStep1[2][0] * s1[0] % kModulus1) % kModulus1};
    s2 = {s2[1], s2[2], (kStep2[2][2] * s2[2] % kModulus2 + kStep2[2][0] * s2[0] % kModulus2) % kModulus2};
    return static_cast<double>(s1[2] > s2[2] ? s1[2] - s2[2] : s1[2] + kModulus1 - s2[2]);
  }
  uint32_t bits() { return static_cast<uint32_t>(next() * kAllBits); }
  float uniform() { return static_cast<float>(fine()); }
  double fine() { return next() * kUnit; }
};

// How a seed becomes a state: constants of curand_init() in NVIDIA's curand_kernel.h.
Mrg Mrg::seeded(uint64_t seed) {
  constexpr uint64_t kStart = 12345;
  if (seed == 0) {
    return {{kStart, kStart, kStart}, {kStart, kStart, kStart}};
  }
  const uint64_t low = static_cast<uint32_t>(seed) ^ 0x55555555U;
  const uint64_t high = static_cast<uint32_t>(seed >> 32U) ^ 0xaaaaaaaaU;
  return {{low * kStart % kModulus1, high * kStart % kModulus1, low * kStart % kModulus1},
          {high * kStart % kModulus2, low * kStart % kModulus2, high * kStart % kModulus2}};
}

std::vector<Mrg> Mrg::lanes(uint64_t seed, uint64_t steps, uint64_t more) {
  Mrg first = seeded(seed);
  first.s1 = times<kModulus1>(jump<kModulus1>(kStep1, steps), first.s1);
  first.s2 = times<kModulus2>(jump<kModulus2>(kStep2, steps), first.s2);
  const Matrix apart1 = jump<kModulus1>(kStep1, 1, kApart);
  const Matrix apart2 = jump<kModulus2>(kStep2, 1, kApart);
  std::vector<Mrg> made(kLanes, first);
  for (size_t i = 1; i < kLanes; ++i) {
    made[i] = {times<kModulus1>(apart1, made[i - 1].s1), times<kModulus2>(apart2, made[i - 1].s2)};
  }
  for (size_t i = 0; i < more; ++i) {
    made[i].next();
  }
  return made;
}

}  // namespace

std::unique_ptr<Sequence> mrg32k3a() { return std::make_unique<LaneSequence<Mrg>>(); }

}  // namespace hpml::sim::curand
