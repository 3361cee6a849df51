// Question: does each issue policy pick the warp its name says?
#include "simulator/timing/core/policy.hpp"

#include <gtest/gtest.h>

namespace hpml::sim::timing {
namespace {

constexpr uint64_t kAge[] = {5, 9, 2, 7};  // warp 1 is the youngest, warp 2 the oldest

TEST(Policy, GreedyStaysOnTheSameWarpWhileItCan) {
  EXPECT_EQ(greedy_then_youngest({0b1011, 3, kAge}), 3);
  EXPECT_EQ(greedy_then_oldest({0b1011, 3, kAge}), 3);
}

TEST(Policy, OtherwiseYoungestOrOldest) {
  EXPECT_EQ(greedy_then_youngest({0b0111, 3, kAge}), 1);
  EXPECT_EQ(greedy_then_oldest({0b0111, 3, kAge}), 2);
  EXPECT_EQ(greedy_then_oldest({0b0011, -1, kAge}), 0);
}

TEST(Policy, RoundRobinTakesTheNextAndWrapsAround) {
  EXPECT_EQ(loose_round_robin({0b1011, 0, kAge}), 1);
  EXPECT_EQ(loose_round_robin({0b1011, 1, kAge}), 3);
  EXPECT_EQ(loose_round_robin({0b1011, 3, kAge}), 0);
  EXPECT_EQ(loose_round_robin({uint32_t{1} << 31, 31, kAge}), 31);
}

TEST(Policy, UnknownNameIsAnErrorWithANearName) {
  const auto found = find_policy("gtt");
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().to_string().find("did you mean 'gto'"), std::string::npos) << found.error().to_string();
}

}  // namespace
}  // namespace hpml::sim::timing
