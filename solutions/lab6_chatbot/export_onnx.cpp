// E1: the encoder and one step of the decoder as ONNX graphs.
// HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <limits>

#include "export.hpp"

namespace lab6 {

namespace {

const Tensor& find(const Checkpoint& checkpoint, const std::string& name) {
  const auto found = std::find_if(checkpoint.weights.begin(), checkpoint.weights.end(),
                                  [&](const Tensor& tensor) { return tensor.name == name; });
  if (found == checkpoint.weights.end()) {
    throw BadInput("the checkpoint has no weights '" + name + "'");
  }
  return *found;
}

// Rows of gates r, z, n become z, r, h; `rows` values per gate and row.
void append_permuted(std::vector<float>& to, const std::vector<float>& gates) {
  const auto gate = static_cast<std::ptrdiff_t>(gates.size() / 3);
  const auto r = gates.begin(), z = r + gate, n = z + gate;
  to.insert(to.end(), z, n);
  to.insert(to.end(), r, z);
  to.insert(to.end(), n, gates.end());
}

// One ONNX GRU of a layer; `parts` are the names of its directions ("encoder.gru", "l0", "l0_reverse").
struct Layer {
  std::string name;  // of its constants: name.W, name.R, name.B
  int64_t directions = 1, hidden = 0;
};

Layer write_weights(const Checkpoint& checkpoint, const std::string& gru, const std::string& layer, bool both,
                    GraphWriter& writer) {
  std::vector<std::string> parts = {layer};
  if (both) {
    parts.push_back(layer + "_reverse");
  }
  std::vector<float> w, r, b;
  int64_t input = 0, hidden = 0;
  for (const std::string& part : parts) {
    const Tensor& recurrent = find(checkpoint, gru + ".weight_hh_" + part);
    input = find(checkpoint, gru + ".weight_ih_" + part).columns;
    hidden = recurrent.columns;
    append_permuted(w, find(checkpoint, gru + ".weight_ih_" + part).values);
    append_permuted(r, recurrent.values);
    append_permuted(b, find(checkpoint, gru + ".bias_ih_" + part).values);
    append_permuted(b, find(checkpoint, gru + ".bias_hh_" + part).values);
  }
  const auto directions = static_cast<int64_t>(parts.size());
  const std::string name = gru + "." + layer;
  writer.weights(name + ".W", {directions, 3 * hidden, input}, w);
  writer.weights(name + ".R", {directions, 3 * hidden, hidden}, r);
  writer.weights(name + ".B", {directions, 6 * hidden}, b);
  return {name, directions, hidden};
}

void write_gru(const Layer& layer, const std::string& x, const std::string& lengths, const std::string& initial,
               const std::string& y, const std::string& last, GraphWriter& writer) {
  writer.node("GRU", {x, layer.name + ".W", layer.name + ".R", layer.name + ".B", lengths, initial}, {y, last},
              {{"hidden_size", layer.hidden},
               {"direction", std::string(layer.directions == 2 ? "bidirectional" : "forward")},
               {"linear_before_reset", int64_t{1}}});
}

void write_matrix(const Checkpoint& checkpoint, const std::string& name, GraphWriter& writer) {
  const Tensor& tensor = find(checkpoint, name);
  writer.weights(name, {tensor.rows, tensor.columns}, tensor.values);
}

void write_bias(const Checkpoint& checkpoint, const std::string& name, GraphWriter& writer) {
  const Tensor& tensor = find(checkpoint, name);
  writer.weights(name, {static_cast<int64_t>(tensor.values.size())}, tensor.values);
}

void write_integers(const std::string& name, std::vector<int64_t> values, GraphWriter& writer) {
  writer.integers(name, {static_cast<int64_t>(values.size())}, values);
}

using Dims = std::vector<int64_t>;

}  // namespace

void export_encoder(const Checkpoint& checkpoint, GraphWriter& writer) {
  const int64_t hidden = find(checkpoint, "embedding.weight").columns;
  writer.input("tokens", Element::int64, {"T", "B"});
  writer.input("lengths", Element::int32, {"B"});
  write_matrix(checkpoint, "embedding.weight", writer);
  writer.node("Gather", {"embedding.weight", "tokens"}, {"embedded"}, {{"axis", int64_t{0}}});
  const Layer first = write_weights(checkpoint, "encoder.gru", "l0", true, writer);
  write_gru(first, "embedded", "lengths", "", "y0", "state", writer);  // [T, 2, B, H], [2, B, H]
  // The second layer reads both directions of a word beside each other.
  writer.node("Transpose", {"y0"}, {"y0_by_word"}, {{"perm", Dims{0, 2, 1, 3}}});
  write_integers("both_directions", {0, 0, 2 * hidden}, writer);
  writer.node("Reshape", {"y0_by_word", "both_directions"}, {"x1"});
  const Layer second = write_weights(checkpoint, "encoder.gru", "l1", true, writer);
  write_gru(second, "x1", "lengths", "", "y1", "", writer);
  write_integers("direction_axis", {1}, writer);
  writer.node("ReduceSum", {"y1", "direction_axis"}, {"outputs"}, {{"keepdims", int64_t{0}}});
  writer.output("outputs", Element::float32, {"T", "B", hidden});
  writer.output("state", Element::float32, {int64_t{2}, "B", hidden});
}

void export_decoder(const Checkpoint& checkpoint, GraphWriter& writer) {
  const Tensor& embedding = find(checkpoint, "embedding.weight");
  const int64_t words = embedding.rows, hidden = embedding.columns;
  writer.input("tokens", Element::int64, {int64_t{1}, "B"});
  writer.input("state", Element::float32, {int64_t{2}, "B", hidden});
  writer.input("encoder_outputs", Element::float32, {"T", "B", hidden});
  writer.input("mask", Element::boolean, {"T", "B"});
  write_matrix(checkpoint, "embedding.weight", writer);
  writer.node("Gather", {"embedding.weight", "tokens"}, {"x"}, {{"axis", int64_t{0}}});
  for (const std::string layer : {"0", "1"}) {
    write_integers("layer" + layer, {std::stoll(layer)}, writer);
    writer.node("Gather", {"state", "layer" + layer}, {"h" + layer}, {{"axis", int64_t{0}}});
    const Layer gru = write_weights(checkpoint, "decoder.gru", "l" + layer, false, writer);
    // One step: the last state [1, B, H] is also the output.
    write_gru(gru, layer == "0" ? "x" : "new_h0", "", "h" + layer, "", "new_h" + layer, writer);
  }
  writer.node("Concat", {"new_h0", "new_h1"}, {"next_state"}, {{"axis", int64_t{0}}});
  // Attention: scores [B, 1, T], -infinity where there is no word.
  writer.node("Transpose", {"new_h1"}, {"query"}, {{"perm", Dims{1, 0, 2}}});
  writer.node("Transpose", {"encoder_outputs"}, {"keys"}, {{"perm", Dims{1, 2, 0}}});
  writer.node("MatMul", {"query", "keys"}, {"scores"});
  writer.node("Transpose", {"mask"}, {"mask_by_sequence"}, {{"perm", Dims{1, 0}}});
  write_integers("query_axis", {1}, writer);
  writer.node("Unsqueeze", {"mask_by_sequence", "query_axis"}, {"mask_of_scores"});
  const float nothing = -std::numeric_limits<float>::infinity();
  writer.weights("minus_infinity", {1}, {&nothing, 1});
  writer.node("Where", {"mask_of_scores", "scores", "minus_infinity"}, {"masked"});
  writer.node("Softmax", {"masked"}, {"attention"}, {{"axis", int64_t{-1}}});
  writer.node("Transpose", {"encoder_outputs"}, {"values"}, {{"perm", Dims{1, 0, 2}}});
  writer.node("MatMul", {"attention", "values"}, {"context"});
  writer.node("Concat", {"query", "context"}, {"both"}, {{"axis", int64_t{2}}});
  write_integers("one_row_each", {-1, 2 * hidden}, writer);
  writer.node("Reshape", {"both", "one_row_each"}, {"both_rows"});
  write_matrix(checkpoint, "decoder.concat.weight", writer);
  write_bias(checkpoint, "decoder.concat.bias", writer);
  writer.node("Gemm", {"both_rows", "decoder.concat.weight", "decoder.concat.bias"}, {"mixed"},
              {{"transB", int64_t{1}}});
  writer.node("Tanh", {"mixed"}, {"attentional"});
  write_matrix(checkpoint, "decoder.out.weight", writer);
  write_bias(checkpoint, "decoder.out.bias", writer);
  writer.node("Gemm", {"attentional", "decoder.out.weight", "decoder.out.bias"}, {"logits"}, {{"transB", int64_t{1}}});
  writer.output("logits", Element::float32, {"B", words});
  writer.output("next_state", Element::float32, {int64_t{2}, "B", hidden});
}

}  // namespace lab6
