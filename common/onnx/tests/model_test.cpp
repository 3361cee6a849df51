#include "common/onnx/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/onnx/session.hpp"

namespace hpml::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<float> kWeights = {1, 2, 3, 4, 5, 6};

// y = x W^T + b with W [2, 3].
Model small() {
  Model model;
  model.producer = "test";
  model.graph_name = "small";
  const std::vector<float> bias = {10, 20};
  model.initializers = {{"W", Tensor::of<float>({2, 3}, kWeights)}, {"b", Tensor::of<float>({2}, bias)}};
  model.inputs = {{"x", Type::float32, {"B", int64_t{3}}}};
  model.outputs = {{"y", Type::float32, {"B", int64_t{2}}}};
  model.nodes = {{"Gemm", "linear", {"x", "W", "b"}, {"y"}, {{"transB", int64_t{1}}}}};
  model.metadata = {{"words", "a b c"}};
  return model;
}

Result<Session> open(Model model) { return Session::create(std::move(model), "<test>"); }

std::string error_of(const Result<Session>& session) { return session.ok() ? "" : session.error().message; }

TEST(Model, KeepsEverythingThroughAFile) {
  const std::string bytes = serialize(small());
  const auto read = parse_model(bytes, "<test>");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(serialize(*read), bytes);
  EXPECT_EQ(read->metadata.at(0).second, "a b c");
  EXPECT_EQ(std::get<std::string>(read->inputs.at(0).dims.at(0)), "B");
  EXPECT_EQ(read->opset, 13);
}

// The bytes of a Node by hand, from the protobuf encoding: field 1 "x", field 2 "y", field 3 "", field 4 "Tanh".
TEST(Model, WritesTheWireFormat) {
  Model model;
  model.ir_version = 7;
  model.nodes = {{"Tanh", "", {"x"}, {"y"}, {}}};
  const std::string node("\x0a\x01x\x12\x01y\x1a\x00\x22\x04Tanh", 14);
  const std::string graph = "\x0a\x0e" + node + std::string("\x12\x00", 2);
  const std::string expected =
      std::string("\x08\x07\x12\x00\x3a\x12", 6) + graph + std::string("\x42\x04\x0a\x00\x10\x0d", 6);
  EXPECT_EQ(serialize(model), expected);
}

TEST(Model, RefusesEveryTruncation) {
  const std::string bytes = serialize(small());
  int read = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    read += parse_model(std::string_view(bytes).substr(0, size), "<test>").ok() ? 1 : 0;
  }
  EXPECT_EQ(read, 1);  // where only the metadata at the end is cut off as a whole
}

TEST(Model, SurvivesEveryFlippedBit) {
  const std::string bytes = serialize(small());
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    auto model = parse_model(changed, "<test>");
    if (!model.ok()) {
      continue;
    }
    auto session = open(std::move(*model));
    if (session.ok() && session->input("x") != nullptr) {
      (void)session->input("x")->reset(Type::float32, {1, 3});
      (void)session->run().ok();
    }
  }
}

TEST(Model, NamesExtentsThatDoNotFitTheData) {
  Model model = small();
  std::string bytes = serialize(model);
  const size_t dims = bytes.find(std::string("\x08\x02\x08\x03\x10\x01", 6));  // dims 2, 3, type float
  ASSERT_NE(dims, std::string::npos);
  bytes[dims + 1] = 100;
  const auto read = parse_model(bytes, "file.onnx");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().file, "file.onnx");
  EXPECT_THAT(read.error().message, HasSubstr("tensor 'W': extents [100, 3] do not fit its 24 bytes"));
}

TEST(Session, RunsAndBindsNamedExtents) {
  auto session = open(small());
  ASSERT_TRUE(session.ok()) << session.error().message;
  const std::vector<float> x = {1, 0, 0, 0, 1, 1};
  *session->input("x") = Tensor::of<float>({2, 3}, x);
  ASSERT_TRUE(session->run().ok());
  EXPECT_EQ(session->output("y")->dims(), (Dims{2, 2}));
  EXPECT_THAT(session->output("y")->as<float>(), ElementsAre(11, 24, 15, 31));
  EXPECT_EQ(session->uses().at(0).macs, 12);
}

TEST(Session, RefusesInputsThatAreNotDeclared) {
  auto session = open(small());
  ASSERT_TRUE(session.ok());
  EXPECT_EQ(session->input("z"), nullptr);
  ASSERT_TRUE(session->input("x")->reset(Type::float32, {2, 4}));
  EXPECT_THAT(session->run().error().message, HasSubstr("dimension 1 must be 3"));
  ASSERT_TRUE(session->input("x")->reset(Type::int64, {2, 3}));
  EXPECT_THAT(session->run().error().message, HasSubstr("must be float with 2 dimensions"));
}

TEST(Session, RefusesGraphsThatAreNoOrder) {
  Model cycle = small();
  cycle.nodes = {{"Tanh", "a", {"q"}, {"p"}, {}}, {"Tanh", "b", {"p"}, {"q"}, {}}};
  EXPECT_THAT(error_of(open(cycle)), HasSubstr("node 0 (Tanh 'a'): 'q' is not defined before it"));
  Model twice = small();
  twice.nodes.push_back({"Tanh", "", {"x"}, {"y"}, {}});
  EXPECT_THAT(error_of(open(twice)), HasSubstr("'y' is defined twice"));
  Model unknown = small();
  unknown.nodes[0].op = "Sort";
  EXPECT_THAT(error_of(open(unknown)), HasSubstr("node 0 (Sort 'linear'): this operator is not supported"));
  Model none = small();
  none.outputs[0].name = "nothing";
  EXPECT_THAT(error_of(open(none)), HasSubstr("output 'nothing' is made by no node"));
}

}  // namespace
}  // namespace hpml::onnx
