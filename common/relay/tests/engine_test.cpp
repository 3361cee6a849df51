// Does the engine match, time and end a run as README.md says, whatever the order in which calls reach it?
#include "common/relay/router/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace hpml::relay {
namespace {

using testing::HasSubstr;

constexpr double kAlpha = 1e-5;
constexpr double kBeta = 8e-10;

// Ranks as lists of calls; each question takes the next answer.
class EngineTest : public testing::Test {
 protected:
  void start(std::uint32_t ranks, Limits limits = {}) {
    const auto platform = Platform::make(ranks, {kAlpha, 1 / kBeta}, std::nullopt, {});
    engine_.emplace(Settings{.ranks = ranks, .envelope_bytes = 0, .timeline = true}, *platform, limits);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      say(rank, {.op = Op::init});
    }
    go_on();
  }
  void say(std::uint32_t rank, const Frame& frame, std::vector<std::uint32_t> slots = {}) {
    RankCall call;
    call.frame = frame;
    call.slots = std::move(slots);
    engine_->take(rank, std::move(call));
  }
  void send(std::uint32_t rank, std::int32_t to, std::uint64_t bytes, std::uint32_t slot = 0, std::int32_t tag = 1) {
    say(rank, {.op = Op::send, .call = Call::send, .slot = slot, .peer = to, .tag = tag, .bytes = bytes});
  }
  void receive(std::uint32_t rank, std::int32_t from, std::uint64_t bytes, std::uint32_t slot = 1,
               std::int32_t tag = 1) {
    say(rank, {.op = Op::receive, .call = Call::recv, .slot = slot, .peer = from, .tag = tag, .bytes = bytes});
  }
  void wait(std::uint32_t rank, std::vector<std::uint32_t> slots, Op op = Op::wait_all) {
    say(rank, {.op = op, .call = Call::wait}, std::move(slots));
  }
  void compute(std::uint32_t rank, double until) { say(rank, {.op = Op::advance, .time = until}); }
  void finalize(std::uint32_t rank) { say(rank, {.op = Op::finalize}); }
  // Until a rank must speak again, or the run is over.
  void go_on() {
    while (!engine_->over() && engine_->running() == 0) {
      for (Reply& reply : engine_->go_on()) {
        const std::uint32_t rank = reply.rank;
        last_[rank] = std::move(reply);
      }
    }
  }
  double clock(std::uint32_t rank) { return last_.at(rank).head.time; }
  const Verdict& verdict() { return engine_->run().verdict; }

  std::optional<Engine> engine_;
  std::map<std::uint32_t, Reply> last_;
};

TEST_F(EngineTest, AMessageBeginsWhenBothSidesAreReadyAndTakesAlphaPlusBytesTimesBeta) {
  start(2);
  compute(0, 3e-3);
  send(0, 1, 1000);
  wait(0, {0});
  receive(1, 0, 1000);
  wait(1, {1});
  go_on();
  EXPECT_DOUBLE_EQ(clock(0), 3e-3 + kAlpha + 1000 * kBeta);
  EXPECT_DOUBLE_EQ(clock(1), clock(0));
  const Times& times = engine_->run().ranks[1].outside.times;
  EXPECT_DOUBLE_EQ(times.wait_s, 3e-3);
  EXPECT_DOUBLE_EQ(times.transfer_s, clock(1) - 3e-3);
}

TEST_F(EngineTest, MessagesIntoOneRankShareItsLinkAndTheirLatenciesOverlap) {
  start(3);
  send(1, 0, 1000);
  wait(1, {0});
  send(2, 0, 1000);
  wait(2, {0});
  receive(0, 1, 1000, 1);
  receive(0, 2, 1000, 2);
  wait(0, {1, 2});
  go_on();
  EXPECT_NEAR(clock(0), kAlpha + 2000 * kBeta, 1e-15);
}

TEST_F(EngineTest, EveryRankWaitingForAnotherIsADeadlockThatNamesThem) {
  start(2);
  for (const std::uint32_t rank : {0u, 1u}) {
    send(rank, static_cast<std::int32_t>(1 - rank), 4000);
    wait(rank, {0});
  }
  go_on();
  EXPECT_EQ(verdict().state, "deadlock");
  EXPECT_THAT(verdict().message, HasSubstr("rank 0 waits in MPI_Wait (to rank 1, tag 1, 4000 bytes)"));
  ASSERT_EQ(engine_->run().blocked.size(), 2u);
  EXPECT_EQ(engine_->run().blocked[1].requests[0].bytes, 4000u);
}

TEST_F(EngineTest, ARankThatWaitsForOneThatIsDoneIsADeadlock) {
  start(2);
  finalize(0);
  receive(1, 0, 4);
  wait(1, {1});
  go_on();
  EXPECT_EQ(verdict().state, "deadlock");
  EXPECT_EQ(engine_->run().blocked.size(), 1u);
}

TEST_F(EngineTest, AReceiveFromAnySourceTakesWhatWasSentFirstInVirtualTime) {
  start(3);
  receive(0, kAny, 100, 1, kAny);
  wait(0, {1});
  compute(1, 2e-6);  // reaches the engine first, but is sent later
  send(1, 0, 8, 0, 11);
  wait(1, {0});
  compute(2, 1e-6);
  send(2, 0, 8, 0, 22);
  wait(2, {0});
  go_on();
  EXPECT_EQ(last_.at(0).done.at(0).head.source, 2);
  EXPECT_EQ(last_.at(0).done.at(0).head.tag, 22);
}

TEST_F(EngineTest, OfMessagesThatWaitAReceiveFromAnySourceTakesTheOldest) {
  start(3);
  compute(0, 1e-3);
  receive(0, kAny, 100, 1, kAny);
  wait(0, {1});
  compute(1, 2e-6);
  send(1, 0, 8);
  wait(1, {0});
  compute(2, 1e-6);
  send(2, 0, 8);
  wait(2, {0});
  go_on();
  EXPECT_EQ(last_.at(0).done.at(0).head.source, 2);
}

TEST_F(EngineTest, AReceiveFromAnySourceWaitsForRanksThatMaySendEarlier) {
  start(3);
  // Rank 2 is answered at alpha and then sends at once; rank 1 sends a little later, which is known before.
  receive(2, 0, 4);
  wait(2, {1});
  send(0, 2, 0);
  wait(0, {0});
  compute(1, kAlpha + 1e-6);
  send(1, 0, 4, 0, 11);
  wait(1, {0});
  go_on();
  ASSERT_DOUBLE_EQ(clock(2), kAlpha);
  receive(0, kAny, 4, 1, kAny);
  wait(0, {1});
  send(2, 0, 4, 0, 22);
  wait(2, {0});
  go_on();
  EXPECT_EQ(last_.at(0).done.at(0).head.source, 2);
}

TEST_F(EngineTest, MessagesOfOnePairDoNotOvertakeAndTagsChoose) {
  start(2);
  send(0, 1, 1, 0, 5);
  send(0, 1, 2, 1, 6);
  send(0, 1, 3, 2, 5);
  wait(0, {0, 1, 2});
  receive(1, 0, 10, 0, 6);
  receive(1, 0, 10, 1, 5);
  receive(1, 0, 10, 2, kAny);
  wait(1, {0, 1, 2});
  go_on();
  const auto& done = last_.at(1).done;
  EXPECT_EQ(done.at(0).head.bytes, 2u);
  EXPECT_EQ(done.at(1).head.bytes, 1u);
  EXPECT_EQ(done.at(2).head.bytes, 3u);
}

TEST_F(EngineTest, ATestCostsTimeAndMoreWithEachInARow) {
  start(2);
  receive(0, 1, 4);
  say(1, {.op = Op::barrier});
  wait(0, {1}, Op::test_all);
  go_on();
  EXPECT_EQ(last_.at(0).head.value, 0);
  EXPECT_DOUBLE_EQ(clock(0), 1e-7);
  wait(0, {1}, Op::test_all);
  go_on();
  EXPECT_DOUBLE_EQ(clock(0), 3e-7);
}

TEST_F(EngineTest, TestingForWhatNobodySendsIsALivelock) {
  Limits limits;
  limits.idle_polls = 10;
  start(2, limits);
  receive(0, 1, 4);
  say(1, {.op = Op::barrier});
  for (int each = 0; each < 11 && !engine_->over(); ++each) {
    wait(0, {1}, Op::test_all);
    go_on();
  }
  EXPECT_EQ(verdict().state, "livelock");
  EXPECT_EQ(verdict().rank, 0);
}

TEST_F(EngineTest, TrafficIsCountedInTheRegionOfItsSender) {
  start(2);
  say(0, {.op = Op::region, .count = 1});
  send(0, 1, 100, 0);
  send(0, 1, 0, 1);
  wait(0, {0, 1});
  receive(1, 0, 100, 0);
  receive(1, 0, 100, 1);
  wait(1, {0, 1});
  go_on();
  say(0, {.op = Op::region, .count = 0});
  send(0, 1, 7, 0);
  finalize(0);
  finalize(1);
  go_on();
  EXPECT_EQ(verdict().state, "done");
  const RankRecord& rank = engine_->run().ranks[0];
  const Sent& sent = rank.regions.at(0).sent.at(1);
  EXPECT_EQ(sent.messages, 2u);
  EXPECT_EQ(sent.empty, 1u);
  EXPECT_EQ(sent.bytes, 100u);
  EXPECT_EQ(rank.outside.sent.at(1).bytes, 7u);
  ASSERT_EQ(engine_->run().left.size(), 1u);
  EXPECT_EQ(engine_->run().left[0].bytes, 7u);
}

TEST_F(EngineTest, AMessageLeftOverInARegionIsNamed) {
  start(2);
  for (const std::uint32_t rank : {0u, 1u}) {
    say(rank, {.op = Op::region, .count = 1});
    if (rank == 0) {
      send(0, 1, 12);
    }
    say(rank, {.op = Op::region, .count = 0});
    finalize(rank);
  }
  go_on();
  ASSERT_EQ(engine_->run().left_in_region.at(0).size(), 1u);
  EXPECT_EQ(engine_->run().left_in_region.at(0)[0].peer, 1);
  EXPECT_FALSE(engine_->run().left_in_region.at(0)[0].met);
}

TEST_F(EngineTest, ARequestThatIsNeverWaitedForIsLeftThoughItsMessageHasArrived) {
  start(2);
  for (const std::uint32_t rank : {0u, 1u}) {
    say(rank, {.op = Op::region, .count = 1});
    if (rank == 0) {
      send(0, 1, 12);
    } else {
      receive(1, 0, 12);
    }
    say(rank, {.op = Op::region, .count = 0});
    finalize(rank);
  }
  go_on();
  EXPECT_EQ(verdict().state, "done");
  ASSERT_EQ(engine_->run().left_in_region.at(0).size(), 2u);
  EXPECT_TRUE(engine_->run().left_in_region.at(0)[0].met);
}

TEST_F(EngineTest, SplitGivesRanksInTheOrderOfTheirKeys) {
  start(4);
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    say(rank, {.op = Op::split, .peer = static_cast<std::int32_t>(rank % 2), .tag = -static_cast<std::int32_t>(rank)});
  }
  go_on();
  EXPECT_EQ(last_.at(0).head.rank, 1);
  EXPECT_EQ(last_.at(2).head.rank, 0);
  EXPECT_EQ(last_.at(2).head.size, 2);
  EXPECT_EQ(last_.at(0).head.value, last_.at(2).head.value);
  EXPECT_NE(last_.at(0).head.value, last_.at(1).head.value);
  // Messages there are counted for the ranks of the world.
  const auto communicator = static_cast<std::uint32_t>(last_.at(0).head.value);
  say(0, {.op = Op::send, .communicator = communicator, .slot = 0, .peer = 0, .tag = 1, .bytes = 4});
  EXPECT_TRUE(engine_->run().ranks[0].outside.sent.empty());
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    finalize(rank);
  }
  go_on();
  EXPECT_EQ(engine_->run().ranks[0].outside.sent.at(2).bytes, 4u);
}

TEST_F(EngineTest, AMessageLongerThanItsReceiveEndsTheRun) {
  start(2);
  send(0, 1, 100);
  wait(0, {0});
  receive(1, 0, 99);
  wait(1, {1});
  go_on();
  EXPECT_EQ(verdict().state, "truncated");
  EXPECT_EQ(verdict().rank, 1);
}

TEST_F(EngineTest, ARankThatEndsEarlyEndsTheRunAtItsTime) {
  start(2);
  compute(0, 2e-3);
  engine_->ended(0);
  receive(1, 0, 4);
  wait(1, {1});
  go_on();
  EXPECT_EQ(verdict().state, "ended");
  EXPECT_EQ(verdict().rank, 0);
  EXPECT_DOUBLE_EQ(engine_->run().ranks[0].clock_s, 2e-3);
}

}  // namespace
}  // namespace hpml::relay
