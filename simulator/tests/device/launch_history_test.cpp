// Which launches of a long program need not be timed?
#include "simulator/device/launch_history.hpp"

#include <gtest/gtest.h>

#include <array>

namespace hpml::sim::device {
namespace {

constexpr uint64_t kFew = 1'000, kHalf = 10'000'000, kAll = 60'000'000;

LaunchRequest request(KernelId kernel, std::span<const std::byte> params = {}) {
  return {.kernel = kernel, .grid = {10, 1, 1}, .block = {64, 1, 1}, .params = params};
}

TimedLaunch timed(double cycles) { return {.cycles = cycles, .estimate = 1, .warp_instructions = 1, .modelled = {}}; }

TEST(LaunchHistory, EveryLaunchOfAShortProgramIsTimed) {
  LaunchHistory history;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(history.stand_in(request(1)), nullptr);
    history.add(request(1), kFew, timed(7));
  }
}

TEST(LaunchHistory, ALaunchLikeTwoTimedOnesTakesTheTimeOfTheLast) {
  LaunchHistory history;
  history.add(request(1), kHalf, timed(5));
  history.add(request(2), kHalf, timed(6));
  EXPECT_EQ(history.stand_in(request(1)), nullptr);
  history.add(request(1), kFew, timed(7));
  ASSERT_NE(history.stand_in(request(1)), nullptr);
  EXPECT_EQ(history.stand_in(request(1))->cycles, 7);
  EXPECT_EQ(history.stand_in(request(2)), nullptr);
}

// Launch i of one kernel, with parameters of its own.
struct Series {
  LaunchHistory history;
  std::array<std::byte, 4> params{};
  LaunchRequest next() {
    params[0] = static_cast<std::byte>(static_cast<int>(params[0]) + 1);
    return request(1, params);
  }
};

constexpr uint64_t kSome = 1'500'000;

TEST(LaunchHistory, AKernelThatCostsTheSameFourTimesIsSteadyWhateverItsParameters) {
  Series series;
  for (const double cycles : {9.0, 5.00, 5.01, 5.02, 5.03}) {
    const LaunchRequest launch = series.next();
    EXPECT_EQ(series.history.stand_in(launch), nullptr) << cycles;
    series.history.add(launch, kSome, timed(cycles));
  }
  const TimedLaunch* known = series.history.stand_in(series.next());
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->cycles, 5.03);
  LaunchRequest wider = series.next();
  wider.grid.x += 1;
  EXPECT_EQ(series.history.stand_in(wider), nullptr);
}

TEST(LaunchHistory, AKernelWhoseCostVariesIsTimedEveryTime) {
  Series series;
  for (int i = 0; i < 8; ++i) {
    const LaunchRequest launch = series.next();
    EXPECT_EQ(series.history.stand_in(launch), nullptr);
    series.history.add(launch, kSome, timed(5 + i % 2));
  }
}

TEST(LaunchHistory, ASteadyKernelIsLookedAtAgainAndTimedOnceItIsNoMore) {
  Series series;
  for (int i = 0; i < 4; ++i) {
    series.history.add(series.next(), kSome, timed(5));
  }
  int untimed = 0;
  while (untimed < 1000 && series.history.stand_in(series.next()) != nullptr) {
    ++untimed;
  }
  EXPECT_EQ(untimed, 16);
  series.history.add(series.next(), kSome, timed(5));
  for (untimed = 0; untimed < 1000 && series.history.stand_in(series.next()) != nullptr;) {
    ++untimed;
  }
  EXPECT_EQ(untimed, 32);
  series.history.add(series.next(), kSome, timed(6));
  EXPECT_EQ(series.history.stand_in(series.next()), nullptr);
}

TEST(LaunchHistory, ASteadyKernelThatComesToDoMoreOrLessIsTimedAgain) {
  Series series;
  for (int i = 0; i < 4; ++i) {
    series.history.add(series.next(), kSome, timed(5));
  }
  const LaunchRequest alike = series.next();
  ASSERT_NE(series.history.stand_in(alike), nullptr);
  series.history.took(alike, 1.01);
  ASSERT_NE(series.history.stand_in(series.next()), nullptr);
  series.history.took(alike, 0.9);
  EXPECT_EQ(series.history.stand_in(series.next()), nullptr);
}

TEST(LaunchHistory, OtherParametersNeedALongerHistory) {
  LaunchHistory history;
  const std::array<std::byte, 4> other{};
  history.add(request(1), kHalf, timed(5));
  history.add(request(1), kHalf, timed(5));
  EXPECT_EQ(history.stand_in(request(1, other)), nullptr);
  history.add(request(2), kAll, timed(6));
  ASSERT_NE(history.stand_in(request(1, other)), nullptr);
  EXPECT_EQ(history.stand_in(request(1, other))->cycles, 5);
  EXPECT_EQ(history.stand_in(request(3)), nullptr);  // never timed
}

}  // namespace
}  // namespace hpml::sim::device
