#include "common/onnx/ops/operator.hpp"

#include <algorithm>
#include <array>

namespace hpml::onnx {

namespace {

constexpr std::array kOperators = {
    Operator{"Add", 2, run_add},
    Operator{"BatchNormalization", 5, run_batch_normalization},
    Operator{"Cast", 1, run_cast},
    Operator{"Concat", 1, run_concat},
    Operator{"Constant", 0, run_constant},
    Operator{"Conv", 2, run_conv},
    Operator{"DequantizeLinear", 2, run_dequantize_linear},
    Operator{"Div", 2, run_div},
    Operator{"Flatten", 1, run_flatten},
    Operator{"GRU", 3, run_gru},
    Operator{"Gather", 2, run_gather},
    Operator{"Gemm", 2, run_gemm},
    Operator{"GlobalAveragePool", 1, run_global_average_pool},
    Operator{"Identity", 1, run_identity},
    Operator{"MatMul", 2, run_matmul},
    Operator{"MaxPool", 1, run_max_pool},
    Operator{"Mul", 2, run_mul},
    Operator{"QuantizeLinear", 2, run_quantize_linear},
    Operator{"ReduceSum", 1, run_reduce_sum},
    Operator{"Relu", 1, run_relu},
    Operator{"Reshape", 2, run_reshape},
    Operator{"Sigmoid", 1, run_sigmoid},
    Operator{"Slice", 3, run_slice},
    Operator{"Softmax", 1, run_softmax},
    Operator{"Squeeze", 1, run_squeeze},
    Operator{"Sub", 2, run_sub},
    Operator{"Tanh", 1, run_tanh},
    Operator{"Transpose", 1, run_transpose},
    Operator{"Unsqueeze", 2, run_unsqueeze},
    Operator{"Where", 3, run_where},
};

template <class T>
const T* attribute(const Node& node, std::string_view name) {
  const auto found = node.attributes.find(std::string(name));
  return found == node.attributes.end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace

const Operator* find_operator(std::string_view name) {
  const auto found =
      std::find_if(kOperators.begin(), kOperators.end(), [&](const Operator& one) { return one.name == name; });
  return found == kOperators.end() ? nullptr : &*found;
}

int64_t NodeState::integer(std::string_view name, int64_t otherwise) const {
  const auto* value = attribute<int64_t>(*node, name);
  return value != nullptr ? *value : otherwise;
}

float NodeState::real(std::string_view name, float otherwise) const {
  const auto* value = attribute<float>(*node, name);
  return value != nullptr ? *value : otherwise;
}

std::string NodeState::text(std::string_view name, std::string_view otherwise) const {
  const auto* value = attribute<std::string>(*node, name);
  return value != nullptr ? *value : std::string(otherwise);
}

const std::vector<int64_t>* NodeState::integers(std::string_view name) const {
  return attribute<std::vector<int64_t>>(*node, name);
}

float* NodeState::memory(size_t index, size_t size) {
  if (scratch.size() <= index) {
    scratch.resize(index + 1);
  }
  if (scratch[index].size() < size) {
    scratch[index].resize(size);
  }
  return scratch[index].data();
}

std::optional<size_t> axis_of(int64_t axis, size_t rank) {
  const auto dims = static_cast<int64_t>(rank);
  if (axis < -dims || axis >= dims) {
    return std::nullopt;
  }
  return static_cast<size_t>(axis < 0 ? axis + dims : axis);
}

std::optional<std::vector<int64_t>> integers_of(const Tensor* tensor) {
  if (tensor == nullptr || (tensor->type() != Type::int64 && tensor->type() != Type::int32)) {
    return std::nullopt;
  }
  std::vector<int64_t> result;
  if (tensor->type() == Type::int64) {
    const auto values = tensor->as<int64_t>();
    result.assign(values.begin(), values.end());
  } else {
    const auto values = tensor->as<int32_t>();
    result.assign(values.begin(), values.end());
  }
  return result;
}

Problem reset(Tensor* output, Type type, const Dims& dims) {
  return output->reset(type, dims) ? Problem() : "its result would have extents " + to_string(dims);
}

Problem wrong_type(const char* what, const Tensor& tensor) {
  return std::string(what) + " has element type " + name_of(tensor.type());
}

}  // namespace hpml::onnx
