#pragma once
// Cycle: a point in core-clock time. A difference of two is a plain number of cycles.
#include <compare>
#include <cstdint>

namespace hpml::sim::timing {

struct Cycle {
  uint64_t value = 0;
  friend constexpr auto operator<=>(Cycle, Cycle) = default;
  friend constexpr Cycle operator+(Cycle c, uint64_t n) { return Cycle{c.value + n}; }
  friend constexpr uint64_t operator-(Cycle a, Cycle b) { return a.value - b.value; }
};

inline constexpr Cycle kNever{~uint64_t{0}};

constexpr Cycle earlier(Cycle a, Cycle b) { return a < b ? a : b; }
constexpr Cycle later(Cycle a, Cycle b) { return a < b ? b : a; }

// Fractions of a cycle for pipes whose interval is not whole (192 lanes shared by 4 schedulers): 1/64 cycle.
inline constexpr uint64_t kFine = 64;
constexpr uint64_t fine(Cycle c) { return c.value * kFine; }
constexpr uint64_t to_fine(double cycles) { return static_cast<uint64_t>(cycles * static_cast<double>(kFine) + 0.5); }
// First whole cycle in which something free at fine time `f` can start.
constexpr Cycle whole(uint64_t f) { return Cycle{f / kFine}; }

}  // namespace hpml::sim::timing
