// Does a request survive the wire, and is what is none refused with a reason?
#include "simulator/debug/protocol.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "simulator/debug/channel.hpp"

namespace hpml::sim::debug {
namespace {

TEST(Request, SurvivesBeingWrittenAndRead) {
  Request request;
  request.id = 7;
  request.op = Op::resume;
  request.step = Step::over;
  request.party = Party::block;
  request.reverse = true;
  request.count = 3;
  request.focus = {.block = 5, .warp = 2, .lane = 31, .frame = 1};
  request.text = "C[37] \"quoted\"\n";
  Breakpoint line;
  line.id = 1;
  line.file = "k.cu";
  line.line = 12;
  line.condition = "i == 3";
  Breakpoint watch;
  watch.id = 2;
  watch.watch = WatchPlace{"shared", 4, 1, 3, 128, 4};
  request.breakpoints = {line, watch};
  Edit edit;
  edit.position = 99;
  edit.memory = {"register", 1, 0, 2, 256, 4};
  edit.bytes = {1, 2, 3, 4};
  request.edits = {edit};
  const auto again = parse_request(to_line(request));
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(to_line(*again), to_line(request));
  EXPECT_EQ(again->text, request.text);
  EXPECT_EQ(again->step, Step::over);
  EXPECT_EQ(again->party, Party::block);
  ASSERT_EQ(again->breakpoints.size(), 2U);
  EXPECT_EQ(again->breakpoints[1].watch->address, 128U);
  EXPECT_EQ(again->edits.at(0).bytes, edit.bytes);
}

struct BadLine {
  const char* line;
  const char* says;
};
class MalformedRequest : public testing::TestWithParam<BadLine> {};
TEST_P(MalformedRequest, IsRefusedWithItsReason) {
  const auto request = parse_request(GetParam().line);
  ASSERT_FALSE(request.ok());
  EXPECT_NE(request.error().message.find(GetParam().says), std::string::npos) << request.error().message;
}
INSTANTIATE_TEST_SUITE_P(
    Lines, MalformedRequest,
    testing::Values(BadLine{"", "no"}, BadLine{"{", "not a JSON object"}, BadLine{"[1]", "not a JSON object"},
                    BadLine{"{}", "'op' is missing"}, BadLine{R"({"op": "fly"})", "'fly'"},
                    BadLine{R"({"op": 3})", "'op'"}, BadLine{R"({"op": "resume", "count": "two"})", "'count'"},
                    BadLine{R"({"op": "resume", "cuont": 2})", "unknown field 'cuont'"},
                    BadLine{R"({"op": "resume", "lane": 32})", "lanes 0 to 31"},
                    BadLine{R"({"op": "jump", "position": -1})", "'position'"},
                    BadLine{R"({"op": "jump", "position": 1e30})", "'position'"},
                    BadLine{R"({"op": "breakpoints", "breakpoints": [7]})", "no object"},
                    BadLine{R"({"op": "breakpoints", "breakpoints": [{"watch": {"lane": 99}}]})", "lane"},
                    BadLine{R"({"op": "set", "edits": [{"bytes": [256]}]})", "byte"}));

TEST(Channel, CarriesLinesAndDescriptors) {
  const auto [a, b] = socket_pair();
  Channel left(a), right(b);
  const auto [c, d] = socket_pair();
  ASSERT_TRUE(left.send({{"event", "copy"}}, c));
  ASSERT_TRUE(left.send({{"event", "more"}}));
  ::close(c);
  EXPECT_EQ(right.receive(), R"({"event":"copy"})");
  const int fd = right.take_fd();
  ASSERT_GE(fd, 0);
  EXPECT_EQ(right.receive(), R"({"event":"more"})");
  EXPECT_EQ(right.take_fd(), -1);
  Channel passed(fd), other(d);
  ASSERT_TRUE(passed.send({{"x", 1}}));
  EXPECT_EQ(other.receive(), R"({"x":1})");
  left.close();
  EXPECT_EQ(right.receive(), std::nullopt);
  EXPECT_FALSE(right.open());
}

}  // namespace
}  // namespace hpml::sim::debug
