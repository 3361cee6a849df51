// Do messages take alpha + bytes * beta when alone, and share links as the max-min rule says?
#include "common/relay/router/network.hpp"

#include <gtest/gtest.h>

#include <map>

namespace hpml::relay {
namespace {

constexpr double kAlpha = 1e-5;
constexpr double kRate = 1e9;

class NetworkTest : public testing::Test {
 protected:
  void make(std::uint32_t ranks, std::optional<Groups> groups = std::nullopt, std::vector<std::uint32_t> places = {}) {
    platform_.emplace(*Platform::make(ranks, {kAlpha, kRate}, groups, std::move(places)));
    network_.emplace(*platform_);
  }
  // When each message has arrived, by its number.
  std::map<std::uint32_t, double> run() {
    std::map<std::uint32_t, double> ends;
    while (!network_->idle()) {
      const double now = network_->next();
      std::vector<std::uint32_t> arrived;
      network_->advance(arrived);
      for (const std::uint32_t flow : arrived) {
        ends[flow] = now;
      }
    }
    return ends;
  }
  std::optional<Platform> platform_;
  std::optional<Network> network_;
};

TEST_F(NetworkTest, AloneItTakesAlphaPlusBytesTimesBeta) {
  make(2);
  const auto flow = network_->start(0, 1, 5000, 0.25);
  EXPECT_DOUBLE_EQ(run().at(flow), 0.25 + kAlpha + 5000 / kRate);
}

TEST_F(NetworkTest, BothDirectionsAndOtherPairsDoNotDisturbEachOther) {
  make(4);
  const auto there = network_->start(0, 1, 5000, 0);
  const auto back = network_->start(1, 0, 5000, 0);
  const auto other = network_->start(2, 3, 5000, 0);
  const auto ends = run();
  for (const auto flow : {there, back, other}) {
    EXPECT_DOUBLE_EQ(ends.at(flow), kAlpha + 5000 / kRate);
  }
}

TEST_F(NetworkTest, TwoFromOneRankShareItsLinkAndTheLongerOneSpeedsUp) {
  make(3);
  const auto small = network_->start(0, 1, 1000, 0);
  const auto large = network_->start(0, 2, 3000, 0);
  const auto ends = run();
  EXPECT_NEAR(ends.at(small), kAlpha + 2000 / kRate, 1e-15);
  EXPECT_NEAR(ends.at(large), kAlpha + 4000 / kRate, 1e-15);
}

// 0 -> 2 and 1 -> 2 share the link into 2; 1 -> 3 shares the link out of 1, and takes what 1 -> 2 leaves.
TEST_F(NetworkTest, RatesAreMaxMinFair) {
  make(4);
  const auto a = network_->start(0, 2, 1000, 0);
  const auto b = network_->start(1, 2, 1000, 0);
  const auto c = network_->start(1, 3, 1000, 0);
  const auto ends = run();
  for (const auto flow : {a, b, c}) {
    EXPECT_NEAR(ends.at(flow), kAlpha + 2000 / kRate, 1e-15);
  }
}

TEST_F(NetworkTest, GroupsShareTheirLinkAndAddItsLatency) {
  make(4, Groups{2, {3e-5, kRate / 4}});
  const auto inside = network_->start(0, 1, 1000, 0);
  EXPECT_DOUBLE_EQ(run().at(inside), kAlpha + 1000 / kRate);
  const auto one = network_->start(0, 2, 1000, 0);
  const auto two = network_->start(1, 3, 1000, 0);
  const auto ends = run();
  EXPECT_NEAR(ends.at(one), kAlpha + 3e-5 + 8000 / kRate, 1e-15);
  EXPECT_NEAR(ends.at(two), kAlpha + 3e-5 + 8000 / kRate, 1e-15);
}

TEST_F(NetworkTest, PlacementDecidesWhoIsNear) {
  make(4, Groups{2, {3e-5, kRate}}, {0, 2, 1, 3});
  EXPECT_EQ(platform_->route(0, 2).count, 2u);
  EXPECT_EQ(platform_->route(0, 1).count, 4u);
}

TEST(Platform, SaysWhatIsWrongWithIt) {
  EXPECT_FALSE(Platform::make(2, {0, 1}, std::nullopt, {}).ok());
  EXPECT_FALSE(Platform::make(2, {1, 1}, Groups{0, {1, 1}}, {}).ok());
  EXPECT_FALSE(Platform::make(2, {1, 1}, std::nullopt, {0, 0}).ok());
  EXPECT_FALSE(Platform::make(2, {1, 1}, std::nullopt, {0, 2}).ok());
}

}  // namespace
}  // namespace hpml::relay
