// Question: what does the whole launch take, given what was timed of it?
#include "simulator/timing/gpu/sampler.hpp"

#include <gtest/gtest.h>

#include "simulator/timing/core/pace.hpp"

namespace hpml::sim::timing {
namespace {

Stretch stretch(double steps, double cycles, uint64_t issued = 0) {
  Stretch out;
  out.steps = steps;
  out.cycles = cycles;
  out.counters.issued = issued;
  return out;
}

TEST(Sampler, AGapBetweenTwoStretchesTakesTheMeanOfTheirCyclesPerInstruction) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100));
  sampler.timed(stretch(500, 100));
  sampler.fast_forwarded(2000, 400, false);
  sampler.timed(stretch(100, 40));  // twice as slow
  EXPECT_DOUBLE_EQ(sampler.cycles(), 100 + 100 + 2000 * (0.2 + 0.4) / 2 + 40);
  EXPECT_DOUBLE_EQ(sampler.timed_steps(), 1100);
}

// 500 instructions in 100 cycles, then 2000 fast-forwarded.
Sampler after_fast_forward(bool changed = false) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100, 500));
  sampler.fast_forwarded(2000, 400, changed);
  return sampler;
}

// A wave of blocks ends, and the next fills few places; or the launch ends.
Stretch tail(double steps, double cycles) {
  Stretch out = stretch(steps, cycles);
  out.steady = false;
  return out;
}

TEST(Sampler, AWindowInWhichWarpsRunOutSaysNothingOfTheGapBeforeIt) {
  Sampler sampler = after_fast_forward();
  sampler.timed(tail(100, 40));
  EXPECT_DOUBLE_EQ(sampler.cycles(), 100 + 400 + 40);
  EXPECT_EQ(sampler.counters({}).issued, 500 + 2000u);
}

TEST(Sampler, WarpsThatRunOutAfterAGapTakeWhatTheyTake) {
  Sampler sampler = after_fast_forward();
  sampler.warmed(tail(100, 90));
  EXPECT_DOUBLE_EQ(sampler.cycles(), 100 + 400 + 90);
}

TEST(Sampler, AGapThatEndedWithAChangeIsLikeWhatWasBeforeIt) {
  Sampler sampler = after_fast_forward(true);
  sampler.timed(stretch(100, 40));
  EXPECT_DOUBLE_EQ(sampler.cycles(), 100 + 400 + 40);
}

TEST(Sampler, TheLastGapGoesOnAsBefore) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100));
  sampler.fast_forwarded(50, 10, false);
  EXPECT_DOUBLE_EQ(sampler.cycles(), 110);
}

TEST(Sampler, EveryStretchStandsForItsHalfOfTheGapsBesideIt) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100, 500));
  sampler.fast_forwarded(1000, 200, false);
  sampler.timed(stretch(500, 100, 0));
  EXPECT_EQ(sampler.counters({}).issued, 1000u);
}

Segment segment(double steps, double loads, double stores, uint64_t read, uint64_t hits) {
  Segment out{.steps = steps, .counters = {}, .accesses = {.l1 = loads + stores, .l2 = {loads, stores, 0, 0}}};
  out.counters.l1_sectors = static_cast<uint64_t>(loads + stores);
  out.counters.l1_hits = hits;
  out.counters.l2_sectors = {read, static_cast<uint64_t>(stores), 0, 0};
  return out;
}

TEST(Sampler, TrafficIsThatOfAllAccessesAtTheHitRateOfTheSegments) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100));
  sampler.ends(segment(500, 100, 0, 50, 50));
  sampler.fast_forwarded(1000, 200, false);
  sampler.timed(stretch(500, 100));
  sampler.ends(segment(500, 100, 0, 30, 70));  // as much is like this one as like the first
  const TrafficCounters traffic = sampler.counters({.l1 = 300, .l2 = {300, 0, 0, 0}});
  EXPECT_EQ(traffic.l1_sectors, 300u);
  EXPECT_EQ(traffic.l1_hits, 180u);
  EXPECT_EQ(traffic.l2_sectors[0], 120u);
}

TEST(Sampler, StoresThatNoSegmentHasPassThroughTheCaches) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100));
  sampler.ends(segment(500, 100, 0, 50, 50));
  sampler.fast_forwarded(1000, 200, false);
  const TrafficCounters traffic = sampler.counters({.l1 = 320, .l2 = {300, 20, 0, 0}});
  EXPECT_EQ(traffic.l2_sectors[0], 150u);
  EXPECT_EQ(traffic.l2_sectors[1], 20u);
}

TEST(Sampler, StopsWhenItsWindowsHaveCostSeveralTimesTheFirstPart) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(2900, 100));
  EXPECT_FALSE(sampler.spent());
  sampler.timed(stretch(200, 100));
  EXPECT_TRUE(sampler.spent());
}

TEST(Sampler, WindowsAreLongerWhereWarpsWaitForMemory) {
  Stretch waiting = stretch(500, 100), working = stretch(500, 100);
  waiting.counters.stall_cycles[static_cast<size_t>(Stall::long_scoreboard)] = 900;
  waiting.counters.stall_cycles[static_cast<size_t>(Stall::selected)] = 100;
  working.counters.stall_cycles[static_cast<size_t>(Stall::selected)] = 1000;
  Sampler memory({.sample_after = 1'000'000}), arithmetic({.sample_after = 1'000'000});
  memory.timed(waiting);
  arithmetic.timed(working);
  EXPECT_GT(memory.sampling_unit(1000).steps, 2 * arithmetic.sampling_unit(1000).steps);
  EXPECT_LT(memory.detailed_warming(1000).steps, memory.sampling_unit(1000).steps);
}

TEST(SmRates, AnUnknownNumberOfWarpsGoesLikeTheNearestKnown) {
  SmRates rates;
  rates.add(32, 400, 100);
  rates.add(32, 200, 100);
  rates.add(8, 100, 100);
  EXPECT_DOUBLE_EQ(rates.of(32), 3);
  EXPECT_DOUBLE_EQ(rates.of(30), 3);
  EXPECT_DOUBLE_EQ(rates.of(40), 3);
  EXPECT_DOUBLE_EQ(rates.of(9), 1);
  EXPECT_DOUBLE_EQ(rates.of(1), 1);
}

TEST(Pace, OlderBlocksMayBeFasterAndNobodyStandsStill) {
  Pace pace;
  pace.add(0, 100);
  pace.add(0, 300);
  pace.add(1, 100);
  pace.add(2, 0);
  EXPECT_DOUBLE_EQ(pace.of(0), 1);
  EXPECT_DOUBLE_EQ(pace.of(1), 0.5);
  EXPECT_GT(pace.of(2), 0);
  EXPECT_DOUBLE_EQ(pace.of(7), pace.of(2));
  EXPECT_DOUBLE_EQ(Pace().of(0), 1);
}

TEST(MixWatch, TellsOtherInstructionsAndOtherSectorsFromTheSame) {
  exec::Counters counters;
  const auto run = [&](isa::Lat lat, uint64_t sectors) {
    counters.warp_instructions += 100;
    counters.lat_instructions[static_cast<size_t>(lat)] += 100;
    counters.global_ld.sectors += sectors;
  };
  MixWatch watch;
  watch.begin(counters);
  run(isa::Lat::fp32, 0);
  watch.learn(counters);
  const auto difference_of = [&](isa::Lat lat, uint64_t sectors) {
    watch.begin(counters);
    run(lat, sectors);
    return watch.difference(counters);
  };
  EXPECT_DOUBLE_EQ(difference_of(isa::Lat::fp32, 0), 0);
  EXPECT_DOUBLE_EQ(difference_of(isa::Lat::fp64, 0), 1);
  EXPECT_DOUBLE_EQ(difference_of(isa::Lat::fp32, 400), 0.5);
}

}  // namespace
}  // namespace hpml::sim::timing
