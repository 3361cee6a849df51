// Does the decoder take frames in pieces of any size, and refuse what cannot be right before it allocates?
#include "common/relay/router/decoder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "common/relay/tests/fuzz/ranks_fuzz.hpp"

namespace hpml::relay {
namespace {

using testing::HasSubstr;

std::vector<std::byte> bytes_of(const Frame& frame, std::string_view payload = "") {
  std::vector<std::byte> bytes(sizeof frame + payload.size());
  memcpy(bytes.data(), &frame, sizeof frame);
  memcpy(bytes.data() + sizeof frame, payload.data(), payload.size());
  return bytes;
}

class DecoderTest : public testing::Test {
 protected:
  DecoderTest() {
    EXPECT_EQ(feed(bytes_of({.op = Op::init})), "");
    answered();
  }
  std::string feed(std::span<const std::byte> bytes) {
    return decoder_.feed(bytes, [&](RankCall&& call) { calls_.push_back(std::move(call)); });
  }
  void answered() {
    decoder_.answered();
    calls_.clear();
  }

  Limits limits_{.message_bytes = 1000, .held_bytes = 1500, .requests = 10, .calls = 20};
  Budget budget_{1500};
  Decoder decoder_{limits_, budget_};
  std::vector<RankCall> calls_;
};

TEST_F(DecoderTest, TakesCallsInPiecesOfAnySize) {
  std::vector<std::byte> stream = bytes_of({.op = Op::send, .slot = 1, .peer = 2, .bytes = 5}, "hello");
  const std::uint32_t slot = 1;
  const auto wait = bytes_of({.op = Op::wait_all, .count = 1}, {reinterpret_cast<const char*>(&slot), 4});
  stream.insert(stream.end(), wait.begin(), wait.end());
  for (const std::size_t piece : {1u, 7u, 53u, 200u}) {
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      ASSERT_EQ(feed(std::span(stream).subspan(at, std::min(piece, stream.size() - at))), "");
    }
    ASSERT_EQ(calls_.size(), 2u) << "pieces of " << piece;
    EXPECT_EQ(memcmp(calls_[0].payload.bytes().data(), "hello", 5), 0);
    EXPECT_EQ(calls_[1].slots, std::vector<std::uint32_t>{1});
    answered();
    EXPECT_EQ(budget_.used(), 0u);
  }
}

TEST_F(DecoderTest, RefusesSizesBeforeItAllocates) {
  EXPECT_THAT(feed(bytes_of({.op = Op::send, .bytes = 1001})), HasSubstr("a message of 1001 bytes; the limit is 1000"));
  EXPECT_EQ(budget_.used(), 0u);
}

TEST_F(DecoderTest, RefusesMoreThanTheBudgetOfAllRanks) {
  EXPECT_EQ(feed(bytes_of({.op = Op::send, .bytes = 1000})), "");
  const std::vector<std::byte> payload(1000);
  EXPECT_EQ(feed(payload), "");
  EXPECT_THAT(feed(bytes_of({.op = Op::send, .slot = 1, .bytes = 501})),
              HasSubstr("more than the relay can still hold"));
}

TEST_F(DecoderTest, RefusesSlotsListsAndClocksThatCannotBe) {
  for (const Frame& frame :
       {Frame{.op = Op::receive, .slot = 10}, Frame{.op = Op::wait_all, .count = 11},
        Frame{.op = Op::wait_any, .count = 0}, Frame{.op = Op::advance, .time = NAN},
        Frame{.op = Op::advance, .time = -1}, Frame{.op = Op::advance, .time = 1e300}, Frame{.op = static_cast<Op>(0)},
        Frame{.op = static_cast<Op>(14)}, Frame{.op = Op::init}}) {
    Decoder decoder(limits_, budget_);
    EXPECT_EQ(decoder.feed(bytes_of({.op = Op::init}), [](RankCall&&) {}), "");
    decoder.answered();
    EXPECT_NE(decoder.feed(bytes_of(frame), [](RankCall&&) {}), "") << static_cast<std::uint32_t>(frame.op);
  }
}

TEST_F(DecoderTest, RefusesBytesAfterAQuestionUntilItIsAnswered) {
  EXPECT_EQ(feed(bytes_of({.op = Op::barrier})), "");
  EXPECT_THAT(feed(bytes_of({.op = Op::advance})), HasSubstr("before it has read the answer"));
}

TEST_F(DecoderTest, RefusesAnythingAfterFinalize) {
  EXPECT_EQ(feed(bytes_of({.op = Op::finalize})), "");
  EXPECT_THAT(feed(bytes_of({.op = Op::advance})), HasSubstr("after MPI_Finalize"));
}

TEST_F(DecoderTest, RefusesAFloodOfCallsWithoutAQuestion) {
  std::string problem;
  for (int each = 0; each < 21 && problem.empty(); ++each) {
    problem = feed(bytes_of({.op = Op::advance}));
  }
  EXPECT_THAT(problem, HasSubstr("20 calls without one that waits"));
}

// What the fuzz target does, with inputs that go through the engine.
TEST(RanksFuzz, EveryInputComesToAnEnd) {
  std::vector<std::byte> input;
  const auto say = [&](int rank, const Frame& frame, std::string_view payload = "") {
    const auto bytes = bytes_of(frame, payload);
    input.push_back(static_cast<std::byte>(rank));
    input.push_back(static_cast<std::byte>(bytes.size()));
    input.insert(input.end(), bytes.begin(), bytes.end());
  };
  EXPECT_EQ(fuzz_one(input), "ended");
  for (const int rank : {0, 1, 2}) {
    say(rank, {.op = Op::init});
  }
  const std::string slot("\0\0\0\0", 4);
  say(0, {.op = Op::send, .peer = 1, .tag = 3, .bytes = 3}, "abc");
  say(0, {.op = Op::wait_all, .count = 1}, slot);
  say(1, {.op = Op::receive, .peer = kAny, .tag = kAny, .bytes = 100});
  say(1, {.op = Op::wait_all, .count = 1}, slot);
  say(2, {.op = Op::finalize});
  EXPECT_EQ(fuzz_one(input), "ended");
  say(0, {.op = Op::finalize});
  say(1, {.op = Op::finalize});
  EXPECT_EQ(fuzz_one(input), "done");
  say(2, {.op = Op::finalize});
  for (std::size_t at = 2; at < input.size(); at += 5) {  // broken in one place each
    std::vector<std::byte> broken = input;
    broken[at] ^= std::byte{0x81};
    fuzz_one(broken);
  }
}

}  // namespace
}  // namespace hpml::relay
