#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "common/nn/baseline/slots.hpp"
#include "common/nn/graph/networks.hpp"
#include "common/nn/profile/tables.hpp"

namespace hpml::nn {
namespace {

TEST(Tracer, KeepsThreadsApartAndOrdersEnclosingSpansFirst) {
  const auto tracer = baseline_slots().tracer();
  {
    const Span outer(tracer.get(), "outer");
    const Span inner(tracer.get(), "inner", Pass::forward, 3, 8);
  }
  std::thread([&] { const Span other(tracer.get(), "other"); }).join();
  const auto events = tracer->events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].name, "outer");
  EXPECT_EQ(events[1].name, "inner");
  EXPECT_EQ(events[1].node, 3);
  EXPECT_EQ(events[1].thread, 0);
  EXPECT_EQ(events[2].thread, 1);
  EXPECT_LE(events[0].start_ns, events[1].start_ns);
  EXPECT_GE(events[0].start_ns + events[0].duration_ns, events[1].start_ns + events[1].duration_ns);
}

TEST(Tracer, ASecondTracerOfOneThreadStartsEmpty) {
  const auto first = baseline_slots().tracer(), second = baseline_slots().tracer();
  { const Span span(first.get(), "a"); }
  { const Span span(second.get(), "b"); }
  { const Span span(first.get(), "c"); }
  EXPECT_EQ(first->events().size(), 2U);
  EXPECT_EQ(second->events().size(), 1U);
}

TEST(Span, WithoutATracerDoesNothing) { const Span span(nullptr, "nothing"); }

class ProfileTest : public ::testing::Test {
 protected:
  Graph graph = resnet8_cifar();
  // A step of 10 ms with the stem's two passes inside; 2 images.
  std::vector<TraceEvent> events = {
      {.name = "step", .start_ns = 0, .duration_ns = 10'000'000},
      {.name = "conv1", .pass = Pass::forward, .node = 0, .images = 2, .start_ns = 1'000'000, .duration_ns = 2'000'000},
      {.name = "conv1",
       .pass = Pass::backward,
       .node = 0,
       .images = 2,
       .start_ns = 5'000'000,
       .duration_ns = 4'000'000},
  };
};

TEST_F(ProfileTest, SelfTimesSumToTheWallTimeAndFlopFollowThePass) {
  const auto rows = profile(graph, cost_of, events);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].name, "step");
  EXPECT_DOUBLE_EQ(rows[0].self_ms, 4);
  EXPECT_DOUBLE_EQ(rows[0].self_ms + rows[1].self_ms + rows[2].self_ms, 10);
  EXPECT_DOUBLE_EQ(rows[0].share, 0.4);
  const double flop = 2.0 * 2 * 32 * 32 * 27 * 16;
  for (const ProfileRow& row : rows) {
    if (row.pass != Pass::none) {  // the stem has no gradient by its input: backward is one product too
      EXPECT_NEAR(row.gflops, flop / (row.self_ms * 1e6), 1e-9);
    }
  }
}

TEST_F(ProfileTest, ChromeTraceIsJsonWithMicroseconds) {
  const auto trace = nlohmann::json::parse(chrome_trace(graph, cost_of, events));
  EXPECT_EQ(trace["displayTimeUnit"], "ms");
  const auto& list = trace["traceEvents"];
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[0]["ph"], "M");
  EXPECT_EQ(list[2]["ph"], "X");
  EXPECT_EQ(list[2]["ts"], 1000.0);
  EXPECT_EQ(list[2]["dur"], 2000.0);
  EXPECT_EQ(list[2]["cat"], "conv2d");
  EXPECT_EQ(list[2]["args"]["shape"], "2x32x32x16");
  EXPECT_EQ(list[2]["args"]["flops"], 2 * 2 * 32 * 32 * 27 * 16);
}

}  // namespace
}  // namespace hpml::nn
