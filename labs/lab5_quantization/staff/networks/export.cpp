#include "networks/export.hpp"

#include <fmt/format.h>

namespace hpml::lab5 {

namespace {

using onnx::Attribute;
using onnx::Dims;
using onnx::Tensor;
using Extents = std::vector<int64_t>;

class Writer {
 public:
  explicit Writer(const IntegerNet& net) : net_(net) {}

  onnx::Model write() {
    model_.producer = "hpml lab5";
    model_.graph_name = "resnet8_int8";
    model_.inputs = {{"image", onnx::Type::float32, {std::string("n"), int64_t{3}, int64_t{32}, int64_t{32}}}};
    model_.outputs = {{"logits", onnx::Type::float32, {std::string("n"), int64_t{nn::kClasses}}}};
    values_.push_back(quantized("image", net_.input(), "input"));
    for (const IntegerNet::Node& node : net_.nodes()) {
      write(node);
    }
    return std::move(model_);
  }

 private:
  // Place i of FoldedNode::inputs as floats.
  const std::string& value(const IntegerNet::Node& node, size_t i) const {
    return values_[static_cast<size_t>(node.from.inputs[i] + 1)];
  }

  void write(const IntegerNet::Node& node) {
    const std::string& name = node.from.name;
    if (node.from.op == "linear") {
      const std::string flat = add("Flatten", name + ".flat", {value(node, 0)});
      add("Gemm", "logits", {flat, weights(node, {node.from.shape.ci, node.from.shape.co}, 1), biases(node)});
      values_.push_back("logits");
      return;
    }
    std::string at = name + ".float";
    if (node.from.op == "add") {
      add("Add", at, {value(node, 0), value(node, 1)});
    } else if (node.from.op == "avg_pool") {
      add("GlobalAveragePool", at, {value(node, 0)});
    } else {
      const nn::ConvShape& s = node.from.shape;
      add("Conv", at, {value(node, 0), weights(node, {s.co, s.ci, s.k, s.k}, 0), biases(node)},
          {{"kernel_shape", Extents{s.k, s.k}}, {"strides", Extents{s.stride, s.stride}}, {"pads", Extents(4, s.pad)}});
    }
    if (node.from.relu) {
      at = add("Relu", name + ".relu", {at});
    }
    values_.push_back(quantized(at, node.out, name));
  }

  std::string add(const char* op, const std::string& output, std::vector<std::string> inputs,
                  std::map<std::string, Attribute> attributes = {}) {
    model_.nodes.push_back({op, output, std::move(inputs), {output}, std::move(attributes)});
    return output;
  }

  template <class T>
  std::string constant(const std::string& name, Dims dims, const std::vector<T>& values) {
    model_.initializers.emplace_back(name, Tensor::of<T>(std::move(dims), values));
    return name;
  }

  // `from` through eight bits; the name of what comes back.
  std::string quantized(const std::string& from, const Scale& scale, const std::string& name) {
    const std::string s = constant<float>(name + ".scale", {}, {scale.scale}),
                      z = constant<uint8_t>(name + ".zero", {}, {static_cast<uint8_t>(scale.zero)});
    const std::string q = add("QuantizeLinear", name + ".q", {from, s, z});
    return add("DequantizeLinear", name + ".x", {q, s, z});
  }

  // Weights lie as taps x ci x co here, and as co x ci x taps (convolution) or ci x co (linear) in the file.
  std::string weights(const IntegerNet::Node& node, const Dims& dims, int64_t axis) {
    const auto co = static_cast<size_t>(node.from.shape.co), ci = static_cast<size_t>(node.from.shape.ci),
               taps = node.weight.size() / (ci * co);
    std::vector<int8_t> q = node.weight;
    for (size_t i = 0; axis == 0 && i < q.size(); ++i) {
      q[i] = node.weight[(i % taps * ci + i / taps % ci) * co + i / (taps * ci)];
    }
    const std::string& name = node.from.name;
    const std::string integers = constant<int8_t>(name + ".w_q", dims, q),
                      scales = constant<float>(name + ".w_scale", {node.from.shape.co}, node.weight_scale);
    return add("DequantizeLinear", name + ".w", {integers, scales}, {{"axis", axis}});
  }

  std::string biases(const IntegerNet::Node& node) {
    const std::string& name = node.from.name;
    std::vector<float> scales;
    for (const float scale : node.weight_scale) {
      scales.push_back(node.in.scale * scale);
    }
    const std::vector<int32_t> q(node.bias.begin(), node.bias.end());
    const auto count = static_cast<int64_t>(q.size());
    return add("DequantizeLinear", name + ".b",
               {constant<int32_t>(name + ".b_q", {count}, q), constant<float>(name + ".b_scale", {count}, scales)},
               {{"axis", int64_t{0}}});
  }

  const IntegerNet& net_;
  onnx::Model model_;
  std::vector<std::string> values_;  // of the image, then of every node
};

}  // namespace

onnx::Model to_onnx(const IntegerNet& net) { return Writer(net).write(); }

}  // namespace hpml::lab5
