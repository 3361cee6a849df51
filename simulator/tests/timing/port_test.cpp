// Question: does a packet arrive exactly when it was sent to arrive, and does a full port push back?
#include "simulator/timing/clock/port.hpp"

#include <gtest/gtest.h>

namespace hpml::sim::timing {
namespace {

TEST(Port, PacketIsNotThereOneCycleEarlyAndIsThereOnTime) {
  Port<int> port(4);
  port.send(7, Cycle{10}, 5);
  int out = 0;
  EXPECT_FALSE(port.try_pop(Cycle{14}, out));
  EXPECT_EQ(port.next_ready(), Cycle{15});
  EXPECT_TRUE(port.try_pop(Cycle{15}, out));
  EXPECT_EQ(out, 7);
  EXPECT_EQ(port.next_ready(), kNever);
}

TEST(Port, PushesBackWhenFullAndTakesAgainAfterAPop) {
  Port<int> port(2);
  port.send(1, Cycle{0}, 0);
  EXPECT_TRUE(port.can_send());
  port.send(2, Cycle{0}, 0);
  EXPECT_FALSE(port.can_send());
  int out = 0;
  ASSERT_TRUE(port.try_pop(Cycle{0}, out));
  EXPECT_TRUE(port.can_send());
}

TEST(Port, KeepsTheOrderOfSendingEvenWhenALaterPacketHasAShorterDelay) {
  Port<int> port(3);
  port.send(1, Cycle{0}, 9);
  port.send(2, Cycle{1}, 1);
  int out = 0;
  EXPECT_FALSE(port.try_pop(Cycle{8}, out));
  ASSERT_TRUE(port.try_pop(Cycle{9}, out));
  EXPECT_EQ(out, 1);
  ASSERT_TRUE(port.try_pop(Cycle{9}, out));
  EXPECT_EQ(out, 2);
}

TEST(Port, SurvivesManyRoundsThroughItsRing) {
  Port<int> port(3);
  for (int i = 0; i < 100; ++i) {
    port.send(i, Cycle{static_cast<uint64_t>(i)}, 1);
    int out = -1;
    ASSERT_TRUE(port.try_pop(Cycle{static_cast<uint64_t>(i) + 1}, out));
    EXPECT_EQ(out, i);
  }
  EXPECT_TRUE(port.empty());
}

TEST(PortDeathTest, SendingToAFullPortIsABugAndSaysSo) {
  Port<int> port(1);
  port.send(1, Cycle{0}, 0);
  EXPECT_EXIT(port.send(2, Cycle{0}, 0), ::testing::ExitedWithCode(3), "full port");
}

}  // namespace
}  // namespace hpml::sim::timing
