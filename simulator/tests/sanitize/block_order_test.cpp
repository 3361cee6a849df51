#include "simulator/sanitize/block_order.hpp"

#include <gtest/gtest.h>

namespace hpml::sim::sanitize {
namespace {

constexpr isa::LaneMask kLane0 = 1, kLane1 = 2;

TEST(BlockOrder, NothingOrdersTwoLanesOfAWarpByItself) {
  BlockOrder order;
  order.start(1);
  EXPECT_FALSE(order.ordered(0, 1, 0, kLane0, order.now(0)));
  EXPECT_TRUE(order.ordered(0, 0, 0, kLane0, order.now(0))) << "a lane follows itself";
}

TEST(BlockOrder, ABarrierOrdersWhatWasBeforeItNotWhatComesAfter) {
  BlockOrder order;
  order.start(2);
  const auto before = order.now(0);
  order.barrier_opens(0, 0b11, true);
  EXPECT_TRUE(order.ordered(1, 0, 0, kLane0, before));
  EXPECT_TRUE(order.ordered(0, 1, 0, kLane0, before));
  EXPECT_FALSE(order.ordered(1, 0, 0, kLane0, order.now(0)));
}

TEST(BlockOrder, WhoOnlyArrivesIsSeenButDoesNotSee) {
  BlockOrder order;
  order.start(2);
  const auto produced = order.now(0), consumed = order.now(1);
  order.barrier_passed_by(0, 1);
  const auto later = order.now(0);
  order.barrier_opens(1, 0b10, false);
  EXPECT_TRUE(order.ordered(1, 0, 0, kLane0, produced));
  EXPECT_FALSE(order.ordered(1, 0, 0, kLane0, later)) << "behind the arrival";
  EXPECT_FALSE(order.ordered(0, 0, 1, kLane0, consumed));
}

TEST(BlockOrder, KnowledgePassesOnThroughAThirdWarp) {
  BlockOrder order;
  order.start(3);
  const auto first = order.now(0);
  order.barrier_opens(1, 0b011, false);
  order.barrier_opens(2, 0b110, false);
  EXPECT_TRUE(order.ordered(2, 0, 0, kLane0, first));
}

TEST(BlockOrder, APartOfAWarpSynchronisesAlone) {
  BlockOrder order;
  order.start(1);
  const auto then = order.now(0);
  order.warp_synced(0, 0b0011, isa::kFullMask);
  EXPECT_TRUE(order.ordered(0, 1, 0, kLane0, then));
  EXPECT_FALSE(order.ordered(0, 2, 0, kLane0, then));
  order.warp_synced(0, 0b0110, isa::kFullMask);
  EXPECT_TRUE(order.ordered(0, 2, 0, kLane0, then)) << "lane 1 has passed it on";
  EXPECT_FALSE(order.ordered(0, 0, 0, kLane1, order.now(0)));
}

TEST(BlockOrder, ALockOrdersWhoHeldItBefore) {
  BlockOrder order;
  order.start(2);
  constexpr uint64_t kAddress = 64, kOther = 128;
  const auto then = order.now(0);
  order.lock(0, 0, kAddress);
  order.lock(1, 0, kOther);
  EXPECT_FALSE(order.ordered(1, 0, 0, kLane0, then));
  order.lock(1, 0, kAddress);
  EXPECT_TRUE(order.ordered(1, 0, 0, kLane0, then));
  EXPECT_FALSE(order.ordered(1, 0, 0, kLane1, then)) << "of the thread that held it only";
}

TEST(BlockOrder, WhoTakesALockSpeaksForTheLanesItHasMetAndTellsThem) {
  BlockOrder order;
  order.start(2);
  constexpr uint64_t kAddress = 64;
  const auto then = order.now(0);
  order.warp_synced(0, 0b0011, isa::kFullMask);
  order.lock(0, 0, kAddress);
  order.lock(1, 0, kAddress);
  EXPECT_TRUE(order.ordered(1, 0, 0, kLane1, then)) << "met lane 0 before";
  EXPECT_FALSE(order.ordered(1, 1, 0, kLane1, then)) << "has met nobody who knows";
  order.warp_synced(1, 0b0011, isa::kFullMask);
  EXPECT_TRUE(order.ordered(1, 1, 0, kLane1, then));
  EXPECT_FALSE(order.ordered(1, 1, 0, 1u << 2, then)) << "lane 2 met nobody";
}

}  // namespace
}  // namespace hpml::sim::sanitize
