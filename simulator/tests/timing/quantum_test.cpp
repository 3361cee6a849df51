// Question: does what happens within a quantum, in which SMs go ahead alone, happen in its cycle?
#include <gtest/gtest.h>

#include <numeric>

#include "simulator/tests/timing/bench.hpp"

namespace hpml::sim::timing {
namespace {

using isa::Lat;

// So many blocks one after the other on every SM of a T4, each of which fills it; all have a chain of `length`.
RunResult rounds(uint64_t count, int length) {
  Bench bench("t4");
  return bench.run(chain(Lat::fp32, length), count * bench.spec.topology.sms, 32);
}

uint64_t warp_cycles(const RunResult& r) {
  return std::accumulate(r.counters.stall_cycles.begin(), r.counters.stall_cycles.end(), uint64_t{0});
}

// Which of its warps is the last differs from round to round by two cycles at most: the scheduler goes on where it was.
TEST(Quantum, ABlockTakesAFreePlaceInTheNextCycleWhereverItIsInAQuantum) {
  for (int length = 20; length < 30; ++length) {  // 16 cycles each: over the whole of a quantum
    const double one = rounds(1, length).cycles;
    const double further = rounds(2, length).cycles - one;
    EXPECT_NEAR(rounds(3, length).cycles - one, 2 * further, 2) << length;
    EXPECT_NEAR(rounds(2, length + 1).cycles - rounds(1, length + 1).cycles, further + 16, 2) << length;
  }
}

TEST(Quantum, TheCyclesOfABlockThatWasPlacedInItAreCountedFromThere) {
  for (int length = 20; length < 30; ++length) {
    const RunResult one = rounds(1, length), three = rounds(3, length);
    const double warps = 3 * 40 * 32, sms = 3 * 40;
    EXPECT_NEAR(double(warp_cycles(three)) / warps, double(warp_cycles(one)) * 3 / warps, 2) << length;
    EXPECT_NEAR(double(three.counters.sm_cycles_active) / sms, double(one.counters.sm_cycles_active) * 3 / sms, 2)
        << length;
    EXPECT_NEAR(double(three.counters.scheduler_cycles_active) / sms / 4,
                double(one.counters.scheduler_cycles_active) * 3 / sms / 4, 2)
        << length;
  }
}

}  // namespace
}  // namespace hpml::sim::timing
