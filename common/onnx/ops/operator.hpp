#pragma once
// One operator: a function of its inputs. Operators are checked against the text of the ONNX specification,
// "Operators", opset 13 (github.com/onnx/onnx/blob/main/docs/Operators.md).
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/onnx/model.hpp"

namespace hpml::onnx {

// What an operator sees of one node, and keeps for it between runs.
struct NodeState {
  const Node* node = nullptr;
  std::vector<const Tensor*> inputs;  // null: left out
  std::vector<Tensor*> outputs;       // null: not wanted
  std::vector<bool> constant;         // inputs that never change
  bool pack = false;                  // whether constant matrices may be stored in another layout
  std::vector<std::vector<float>> packed, scratch;
  int64_t macs = 0;

  const Tensor* input(size_t i) const { return i < inputs.size() ? inputs[i] : nullptr; }
  Tensor* output(size_t i) const { return i < outputs.size() ? outputs[i] : nullptr; }
  bool is_constant(size_t i) const { return i < constant.size() && constant[i]; }
  // An attribute, or what the specification says where it is left out.
  int64_t integer(std::string_view name, int64_t otherwise) const;
  float real(std::string_view name, float otherwise) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  const std::vector<int64_t>* integers(std::string_view name) const;
  // Memory of `size` floats that stays between runs.
  float* memory(size_t index, size_t size);
};

// Empty: done. Otherwise one sentence: what of the inputs does not fit.
using Problem = std::string;
using Run = Problem (*)(NodeState& state);

struct Operator {
  std::string_view name;
  size_t least_inputs;
  Run run;
};
const Operator* find_operator(std::string_view name);

// ---- shared by operators

// `axis` of a tensor with `rank` dimensions, counted from the end when negative; nothing if there is no such axis.
std::optional<size_t> axis_of(int64_t axis, size_t rank);
// All elements of an int64 or int32 tensor as int64.
std::optional<std::vector<int64_t>> integers_of(const Tensor* tensor);
Problem reset(Tensor* output, Type type, const Dims& dims);
Problem wrong_type(const char* what, const Tensor& tensor);

// ---- operators, by file
Problem run_gather(NodeState& state);  // indexing.cpp
Problem run_slice(NodeState& state);
Problem run_concat(NodeState& state);  // layout.cpp
Problem run_transpose(NodeState& state);
Problem run_reshape(NodeState& state);
Problem run_squeeze(NodeState& state);
Problem run_unsqueeze(NodeState& state);
Problem run_flatten(NodeState& state);
Problem run_identity(NodeState& state);
Problem run_cast(NodeState& state);
Problem run_constant(NodeState& state);
Problem run_add(NodeState& state);  // elementwise.cpp
Problem run_sub(NodeState& state);
Problem run_mul(NodeState& state);
Problem run_div(NodeState& state);
Problem run_where(NodeState& state);
Problem run_tanh(NodeState& state);
Problem run_sigmoid(NodeState& state);
Problem run_relu(NodeState& state);
Problem run_softmax(NodeState& state);  // reductions.cpp
Problem run_reduce_sum(NodeState& state);
Problem run_matmul(NodeState& state);  // products.cpp
Problem run_gemm(NodeState& state);
Problem run_gru(NodeState& state);   // gru.cpp
Problem run_conv(NodeState& state);  // images.cpp
Problem run_max_pool(NodeState& state);
Problem run_global_average_pool(NodeState& state);
Problem run_batch_normalization(NodeState& state);
Problem run_quantize_linear(NodeState& state);  // quantization.cpp
Problem run_dequantize_linear(NodeState& state);

}  // namespace hpml::onnx
