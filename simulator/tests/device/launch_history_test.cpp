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
