// Question: what does the whole launch take, given what was timed of it?
#include "simulator/timing/engine/sampler.hpp"

#include <gtest/gtest.h>

#include "simulator/timing/core/pace.hpp"

namespace hpml::sim::timing {
namespace {

Stretch stretch(double steps, double cycles, uint64_t hits = 0) {
  Stretch out;
  out.steps = steps;
  out.cycles = cycles;
  out.counters.l1_hits = hits;
  return out;
}

TEST(Sampler, AGapBetweenTwoStretchesTakesTheMeanOfTheirCyclesPerInstruction) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100));
  sampler.timed(stretch(500, 100));
  sampler.untimed(2000, 400, false);
  sampler.timed(stretch(100, 40));  // twice as slow
  EXPECT_DOUBLE_EQ(sampler.cycles(), 100 + 100 + 2000 * (0.2 + 0.4) / 2 + 40);
  EXPECT_DOUBLE_EQ(sampler.timed_steps(), 1100);
}

// The last blocks of a launch are slow: few warps are left.
TEST(Sampler, AWindowThatTheLaunchDidNotFillSaysSoMuchLessOfTheGapBeforeIt) {
  Sampler sampler({.sample_after = 100'000});
  sampler.timed(stretch(50'000, 5000, 50'000));
  sampler.untimed(20'000, 2000, false);
  const double planned = static_cast<double>(sampler.window(100).steps);
  sampler.timed(stretch(planned / 10, planned));  // a tenth of it, a hundredth of the rate
  const double like_the_end = 0.5 / 10;
  EXPECT_NEAR(sampler.cycles(), 5000 + 2000 * (1 - like_the_end) + 20'000 * 10 * like_the_end + planned, 1);
  EXPECT_EQ(sampler.counters().l1_hits, 50'000 + 19'000u);
}

// A wave of blocks ends within the window, and the next fills few places.
TEST(Sampler, AWindowInWhichWarpsRunOutSaysNothingOfTheGapBeforeIt) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100));
  sampler.untimed(2000, 400, false);
  Stretch tail = stretch(100, 40);
  tail.steady = false;
  sampler.timed(tail);
  EXPECT_DOUBLE_EQ(sampler.cycles(), 100 + 400 + 40);
}

TEST(Sampler, WarpsThatRunOutAfterAGapTakeWhatTheyTake) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100));
  sampler.untimed(2000, 400, false);
  Stretch tail = stretch(100, 90);
  tail.steady = false;
  sampler.settled(tail);
  EXPECT_DOUBLE_EQ(sampler.cycles(), 100 + 400 + 90);
}

TEST(Sampler, AGapThatEndedWithAChangeIsLikeWhatWasBeforeIt) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100));
  sampler.untimed(2000, 400, true);
  sampler.timed(stretch(100, 40));
  EXPECT_DOUBLE_EQ(sampler.cycles(), 100 + 400 + 40);
}

TEST(Sampler, TheLastGapGoesOnAsBefore) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100));
  sampler.untimed(50, 10, false);
  EXPECT_DOUBLE_EQ(sampler.cycles(), 110);
}

TEST(Sampler, EveryStretchStandsForItsHalfOfTheGapsBesideIt) {
  Sampler sampler({.sample_after = 1000});
  sampler.timed(stretch(500, 100, 500));
  sampler.untimed(1000, 200, false);
  sampler.timed(stretch(500, 100, 0));
  EXPECT_EQ(sampler.counters().l1_hits, 1000u);
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
  EXPECT_GT(memory.window(1000).steps, 2 * arithmetic.window(1000).steps);
  EXPECT_LT(memory.settling(1000).steps, memory.window(1000).steps);
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
