#include "common/bench/paired.hpp"
#include "common/bench/selftest.hpp"

#include <gtest/gtest.h>

#include <random>

#include "scripted_clock.hpp"

namespace hpml::bench {
namespace {

TEST(PairedRatio, IsTheRatioOfProcessorTimes) {
  ScriptedClock clock;
  const Paired paired = compare(
      clock, [&] { clock.spend(1000); }, [&] { clock.spend(2500); }, {});
  EXPECT_EQ(paired.validity, Validity::valid);
  EXPECT_DOUBLE_EQ(paired.ratio, 2.5);
  EXPECT_DOUBLE_EQ(paired.ratio_median, 2.5);
  EXPECT_EQ(paired.cpu_a.size(), 31U);
  EXPECT_EQ(paired.calls_a, 2000);  // 2 ms per sample
}

TEST(PairedRatio, WaitingForTheProcessorDoesNotCount) {
  ScriptedClock clock;
  int call = 0;
  const auto waits = [&] { clock.spend(1000, ++call % 7 == 0 ? 50000 : 0); };
  const Paired paired = compare(clock, waits, [&] { clock.spend(1000); }, {});
  EXPECT_EQ(paired.validity, Validity::valid);
  EXPECT_DOUBLE_EQ(paired.ratio, 1.0);
  EXPECT_GT(summarize(paired.wall_a).median, 2000);
}

TEST(PairedRatio, ADisturbanceOfBothLeavesTheRatio) {
  ScriptedClock clock;
  std::mt19937_64 random(7);
  int64_t slow = 0;
  const auto work = [&](int64_t ns) { clock.spend(ns + ns * slow / 100); };
  const auto a = [&] {
    slow = static_cast<int64_t>(random() % 5);
    work(1'000'000);
  };
  const Paired paired = compare(clock, a, [&] { work(3'000'000); }, {});
  EXPECT_EQ(paired.validity, Validity::valid);
  EXPECT_NEAR(paired.ratio, 3.0, 0.15);
}

TEST(PairedRatio, AnUnsteadyReferenceIsInconclusiveAfterEverySession) {
  ScriptedClock clock;
  std::mt19937_64 random(3);
  const auto unsteady = [&] { clock.spend(1'000'000 + static_cast<int64_t>(random() % 9'000'000)); };
  const Paired paired = compare(clock, [&] { clock.spend(2'000'000); }, unsteady, {});
  EXPECT_EQ(paired.validity, Validity::reference_unsteady);
  EXPECT_EQ(paired.session, 3);
  EXPECT_NE(to_string(paired.validity), "");
}

TEST(PairedRatio, ASecondSessionMayMendADisturbedFirst) {
  ScriptedClock clock;
  int calls = 0;
  const auto reference = [&] { clock.spend(++calls < 40 ? 1'000'000 + calls % 17 * 700'000 : 2'000'000); };
  const Paired paired = compare(clock, [&] { clock.spend(2'000'000); }, reference, {});
  EXPECT_EQ(paired.validity, Validity::valid);
  EXPECT_EQ(paired.session, 2);
}

TEST(PairedRatio, OneLuckySampleIsNotBelieved) {
  ScriptedClock clock;
  int calls = 0;
  const auto lucky = [&] { clock.spend(++calls % 36 == 20 ? 500'000 : 2'000'000); };
  const Paired paired = compare(clock, lucky, [&] { clock.spend(2'000'000); }, {});
  EXPECT_EQ(paired.validity, Validity::estimators_disagree);
}

TEST(PairedRatio, AClockThatStandsStillIsInconclusive) {
  ScriptedClock clock;
  const Paired paired = compare(
      clock, [] {}, [&] { clock.spend(1000); }, {});
  EXPECT_EQ(paired.validity, Validity::clock_stepped);
}

TEST(PairedRatio, StudentAndReferenceSwappedMirrorTheRatio) {
  ScriptedClock clock;
  const auto one = [&] { clock.spend(1000); };
  const auto other = [&] { clock.spend(2500); };
  EXPECT_DOUBLE_EQ(compare(clock, one, other, {}).ratio * compare(clock, other, one, {}).ratio, 1.0);
}

TEST(PairedRatio, AQuotaThatHeldTheProcessorBackIsInconclusive) {
  ScriptedClock clock;
  int calls = 0;
  const auto held_back_once = [&] {
    clock.spend(1'000'000);
    clock.withhold({++calls > 20 ? 1 : 0, 0, 0});
  };
  const Paired later = compare(clock, held_back_once, [&] { clock.spend(1'000'000); }, {});
  EXPECT_EQ(later.validity, Validity::valid);
  EXPECT_EQ(later.session, 2);  // the first one met it
  const auto always = [&] {
    clock.spend(1'000'000);
    clock.withhold({++calls, 0, 0});
  };
  EXPECT_EQ(compare(clock, always, [&] { clock.spend(1'000'000); }, {}).validity, Validity::held_back);
}

TEST(PairedRatio, StolenTimeIsInconclusiveAboveItsLimitOnly) {
  const auto measured = [](int64_t stolen, int64_t ticks) {  // in each call
    ScriptedClock clock;
    int64_t calls = 0;
    const auto work = [&] {
      clock.spend(1'000'000);
      clock.withhold({0, stolen * ++calls, ticks * calls});
    };
    return compare(clock, work, [&] { clock.spend(1'000'000); }, {}).validity;
  };
  EXPECT_EQ(measured(0, 10), Validity::valid);
  EXPECT_EQ(measured(1, 100), Validity::valid);
  EXPECT_EQ(measured(3, 100), Validity::stolen);
}

TEST(PairedRatio, SlowdownOfThirtyPercentIsSeenAndEqualityIsSeenInEveryValidSession) {
  std::mt19937_64 random(11);
  int valid = 0;
  for (int trial = 0; trial < 100; ++trial) {
    ScriptedClock clock;
    const auto noisy = [&](int64_t ns) {  // a floor, and disturbances that only ever add
      const bool disturbed = random() % 4 == 0;
      clock.spend(ns + static_cast<int64_t>(random() % 20'000) +
                  (disturbed ? static_cast<int64_t>(random() % 500'000) : 0));
    };
    const Paired same = compare(
        clock, [&] { noisy(1'000'000); }, [&] { noisy(1'000'000); }, {});
    const Paired slower = compare(
        clock, [&] { noisy(1'300'000); }, [&] { noisy(1'000'000); }, {});
    if (same.validity == Validity::valid && slower.validity == Validity::valid) {
      ++valid;
      EXPECT_GT(same.ratio, 0.90);
      EXPECT_LT(same.ratio, 1.11);
      EXPECT_LT(slower.ratio, 0.90);
    }
  }
  EXPECT_GE(valid, 95);
}

TEST(ClockCheck, GoingBackAndStandingStillAreErrors) {
  ScriptedClock still;
  EXPECT_FALSE(check_clock(still, 10).ok());
  class Backwards : public ScriptedClock {
    int64_t wall_ns() override {
      step_back(5);
      return ScriptedClock::wall_ns();
    }
  } backwards;
  const auto report = check_clock(backwards, 10);
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("went back by 5 ns"), std::string::npos);
}

TEST(ClockCheck, TheSystemsClockIsSteady) {
  SystemClock clock;
  const auto report = check_clock(clock);
  ASSERT_TRUE(report.ok());
  EXPECT_GT(report->resolution_ns, 0);
}

TEST(SelfTest, TrustsNoMachineOnWhichNothingIsConclusive) {
  SelfTest result;
  result.trials = 100;
  EXPECT_FALSE(result.passed());
  result.equal_valid = result.equal_right = 95;
  EXPECT_FALSE(result.passed()) << "nothing is known of what is slower";
  result.slower_valid = result.slower_seen = 1;
  EXPECT_TRUE(result.passed());
  result.equal_right = 90;
  EXPECT_FALSE(result.passed());
}

}  // namespace
}  // namespace hpml::bench
