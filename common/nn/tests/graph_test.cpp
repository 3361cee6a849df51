#include "common/nn/graph/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/nn/graph/networks.hpp"
#include "common/nn/graph/op.hpp"

namespace hpml::nn {
namespace {

using ::testing::HasSubstr;

std::string error_of(std::string_view json) {
  const auto graph = graph_from_json(json, "net.json");
  EXPECT_FALSE(graph.ok());
  return graph.ok() ? "" : graph.error().to_string();
}

std::string with_nodes(const std::string& nodes) {
  return R"({"schema": "hpml/graph/v1", "name": "net", "input": [8, 8, 3], "nodes": [)" + nodes + "]}";
}

TEST(Graph, JsonOfEveryNetworkReadsBackToTheSameText) {
  for (const std::string& name : network_names()) {
    const auto graph = network_by_name(name);
    ASSERT_TRUE(graph.ok());
    const std::string text = to_json(*graph);
    const auto again = graph_from_json(text, name);
    ASSERT_TRUE(again.ok()) << again.error().to_string();
    EXPECT_EQ(to_json(*again), text);
    EXPECT_EQ(again->parameters(), graph->parameters());
  }
}

TEST(Graph, ErrorsNameFileNodeAndReason) {
  EXPECT_THAT(error_of("{"), HasSubstr("net.json: error: not JSON"));
  EXPECT_THAT(error_of(R"({"schema": "hpml/graph/v2", "name": "n", "input": [1, 1, 1], "nodes": []})"),
              HasSubstr("expected \"hpml/graph/v1\""));
  EXPECT_THAT(error_of(with_nodes("")), HasSubstr("at least one node"));
  EXPECT_THAT(error_of(with_nodes(R"({"op": "conv3d", "name": "a", "inputs": ["input"]})")),
              HasSubstr("nodes[0]: node 'a': unknown operator 'conv3d'"));
  EXPECT_THAT(error_of(with_nodes(R"({"op": "relu", "name": "a", "inputs": ["b"]})")), HasSubstr("reads 'b'"));
  EXPECT_THAT(error_of(with_nodes(R"({"op": "add", "name": "a", "inputs": ["input"]})")), HasSubstr("takes 2 inputs"));
  EXPECT_THAT(error_of(with_nodes(R"({"op": "relu", "name": "a", "inputs": ["input"], "color": 1})")),
              HasSubstr("unknown key 'color'"));
  EXPECT_THAT(error_of(with_nodes(R"({"op": "relu", "name": "input", "inputs": ["input"]})")),
              HasSubstr("name of its own"));
  EXPECT_THAT(error_of(with_nodes(R"({"op": "conv2d", "name": "a", "inputs": ["input"], "attrs": {"kernel": 3}})")),
              HasSubstr("'channels' of conv2d is missing"));
  EXPECT_THAT(
      error_of(with_nodes(
          R"({"op": "conv2d", "name": "a", "inputs": ["input"], "attrs": {"channels": 4, "kernel": 3, "strid": 2}})")),
      HasSubstr("did you mean 'stride'?"));
  EXPECT_THAT(error_of(with_nodes(
                  R"({"op": "conv2d", "name": "a", "inputs": ["input"], "attrs": {"channels": 4, "kernel": 9}})")),
              HasSubstr("kernel 9 is larger"));
  EXPECT_THAT(error_of(with_nodes(
                  R"({"op": "conv2d", "name": "a", "inputs": ["input"], "attrs": {"channels": 4, "kernel": 2.5}})")),
              HasSubstr("expected an integer"));
  EXPECT_THAT(error_of(with_nodes(R"({"op": "relu", "name": "a", "inputs": ["input"], "out_shape": [8, 8, 4]})")),
              HasSubstr("out_shape says 1x8x8x4, but it is 1x8x8x3"));
  EXPECT_THAT(error_of(R"({"schema": "hpml/graph/v1", "name": "n", "input": [0, 1, 1], "nodes": []})"),
              HasSubstr("input"));
}

TEST(Graph, AFileThatIsNotThereIsNamed) {
  const auto graph = read_graph("/no/such/net.json");
  ASSERT_FALSE(graph.ok());
  EXPECT_THAT(graph.error().to_string(), HasSubstr("/no/such/net.json"));
}

TEST(Graph, AFailedAddLeavesTheGraphAsItWas) {
  Graph graph("net", {1, 8, 8, 3});
  ASSERT_FALSE(graph.add("conv2d", "a", {"input"}, {}).ok());
  EXPECT_TRUE(graph.nodes().empty());
  EXPECT_TRUE(graph.add("relu", "a", {"input"}).ok());
}

TEST(Networks, AnUnknownNameListsThemAll) {
  const auto graph = network_by_name("resnet19");
  ASSERT_FALSE(graph.ok());
  EXPECT_THAT(graph.error().to_string(), HasSubstr("resnet18, resnet8"));
}

}  // namespace
}  // namespace hpml::nn
