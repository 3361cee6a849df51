// Are an editor's messages taken apart as they were sent, and is garbage refused?
#include "simulator/dap/message.hpp"

#include <gtest/gtest.h>

#include "simulator/tests/fuzz/debug_protocol_fuzz.hpp"

namespace hpml::sim::dap {
namespace {

TEST(MessageReader, PutsPiecesTogetherAndTakesMessagesApart) {
  const std::string bytes = to_message({{"seq", 1}}) + to_message({{"seq", 2}});
  MessageReader reader;
  std::vector<int> seen;
  for (const char c : bytes) {
    reader.feed({&c, 1});
    while (auto message = reader.next()) {
      ASSERT_TRUE(message->ok());
      seen.push_back((**message)["seq"].get<int>());
    }
  }
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
}

TEST(MessageReader, RefusesAMessageThatIsNoneAndReadsTheNext) {
  MessageReader reader;
  reader.feed("Content-Length: 3\r\n\r\nxyz" + to_message({{"seq", 2}}));
  const auto bad = reader.next();
  ASSERT_TRUE(bad && !bad->ok());
  const auto good = reader.next();
  ASSERT_TRUE(good && good->ok());
}

TEST(MessageReader, RefusesHeadersWithoutALength) {
  for (const char* header : {"Hello\r\n\r\n", "Content-Length: x\r\n\r\n",
                             "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: -1\r\n\r\n"}) {
    MessageReader reader;
    reader.feed(header);
    const auto message = reader.next();
    ASSERT_TRUE(message.has_value()) << header;
    EXPECT_FALSE(message->ok()) << header;
  }
}

TEST(MessageReader, GivesUpOnAStreamWithoutHeaders) {
  MessageReader reader;
  reader.feed(std::string(kLongestHeader + 1, 'x'));
  const auto message = reader.next();
  ASSERT_TRUE(message && !message->ok());
  EXPECT_TRUE(reader.lost());
  EXPECT_FALSE(reader.next());
}

TEST(Robustness, OddBytesEndInNoCrash) {
  const std::string whole = to_message({{"type", "request"}, {"command", "next"}});
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] ^= 0x15;
    debug::fuzz_debug_protocol(damaged);
    debug::fuzz_debug_protocol(std::string_view(whole).substr(i));
  }
}

}  // namespace
}  // namespace hpml::sim::dap
