#pragma once
// What all instructions of a launch ask the memory system for is known exactly, however little of the launch is timed:
// counters of its caches are extrapolated by it, not by instructions.
#include <array>

#include "simulator/exec/counters.hpp"
#include "simulator/timing/counters.hpp"

namespace hpml::sim::timing {

// Sectors of 32 bytes.
struct Accesses {
  double l1 = 0;               // of loads and stores, whether L1 has them or not
  std::array<double, 4> l2{};  // by MemOp, as if L1 had none of them

  static Accesses of(const exec::Counters& counters);
  void add(const Accesses& other, double factor);
};

// Counters of a launch that made `all` accesses, from those of a part of it, or of one like it, that made `some`: its
// hit rates stay, and accesses of a kind that `some` has none of pass through every cache.
void extrapolate(TrafficCounters& counters, const Accesses& some, const Accesses& all);

}  // namespace hpml::sim::timing
