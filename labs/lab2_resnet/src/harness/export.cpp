#include "harness/export.hpp"

#include <fstream>
#include <stdexcept>

#include "common/onnx/model.hpp"

namespace exported {

namespace {

namespace nn = hpml::nn;
namespace onnx = hpml::onnx;
using Ints = std::vector<int64_t>;

// Our tensors are NHWC and k x k x ci x co, ONNX's NCHW and co x ci x k x k.
class Exporter {
 public:
  explicit Exporter(const nn::Network& network) : network_(network) {
    const nn::Shape in = network.graph().input();
    model_.producer = "hpml";
    model_.graph_name = network.graph().name();
    model_.inputs = {{"input", onnx::Type::float32, {std::string("N"), int64_t{in.c}, int64_t{in.h}, int64_t{in.w}}}};
  }

  onnx::Model run() {
    for (const nn::NodeSpec& node : network_.graph().nodes()) {
      add(node);
    }
    const nn::NodeSpec& last = network_.graph().output();
    model_.outputs = {{last.name, onnx::Type::float32, {std::string("N"), int64_t{last.out_shape.c}}}};
    return std::move(model_);
  }

 private:
  void add(const nn::NodeSpec& node) {
    if (node.op == "conv2d") {
      const Ints kernel(2, node.integer("kernel")), strides(2, node.integer("stride")), pads(4, node.integer("pad"));
      emit("Conv", node, {conv_weight(node)}, {{"kernel_shape", kernel}, {"strides", strides}, {"pads", pads}});
    } else if (node.op == "batch_norm") {
      emit("BatchNormalization", node,
           {vector(node, "gamma"), vector(node, "beta"), vector(node, "running_mean"), vector(node, "running_var")},
           {{"epsilon", static_cast<float>(node.real("eps"))}});
    } else if (node.op == "relu") {
      emit("Relu", node, {}, {});
    } else if (node.op == "add") {
      emit("Add", node, {}, {});
    } else if (node.op == "avg_pool" && node.out_shape.h == 1 && node.out_shape.w == 1) {
      emit("GlobalAveragePool", node, {}, {});
    } else if (node.op == "linear") {
      linear(node);
    } else {
      throw std::runtime_error("no ONNX operator for the " + node.op + " '" + node.name + "'");
    }
  }

  void emit(const char* op, const nn::NodeSpec& node, std::vector<std::string> more,
            std::map<std::string, onnx::Attribute> attributes) {
    std::vector<std::string> inputs = node.inputs;
    inputs.insert(inputs.end(), more.begin(), more.end());
    model_.nodes.push_back({op, node.name, std::move(inputs), {node.name}, std::move(attributes)});
  }

  // The image that a linear layer reads has one pixel: its channels are a row.
  void linear(const nn::NodeSpec& node) {
    const std::string flat = node.name + ".flat";
    model_.nodes.push_back({"Flatten", flat, node.inputs, {flat}, {{"axis", int64_t{1}}}});
    const nn::View<float> weight = value(node, "weight");
    model_.nodes.push_back({"Gemm", node.name, {flat, keep(node, "weight", {weight.shape.w, weight.shape.c}, weight.span()),
                                               vector(node, "bias")}, {node.name}, {}});
  }

  std::string conv_weight(const nn::NodeSpec& node) {
    const nn::View<float> w = value(node, "weight");
    const int64_t taps = node.integer("kernel") * node.integer("kernel"), co = w.shape.c, ci = w.size() / taps / co;
    std::vector<float> turned(static_cast<size_t>(w.size()));
    for (int64_t tap = 0; tap < taps; ++tap) {
      for (int64_t i = 0; i < ci; ++i) {
        for (int64_t o = 0; o < co; ++o) {
          turned[static_cast<size_t>((o * ci + i) * taps + tap)] = w[(tap * ci + i) * co + o];
        }
      }
    }
    return keep(node, "weight", {co, ci, node.integer("kernel"), node.integer("kernel")}, turned);
  }

  std::string vector(const nn::NodeSpec& node, const char* name) {
    const nn::View<float> values = value(node, name);
    return keep(node, name, {values.size()}, values.span());
  }
  nn::View<float> value(const nn::NodeSpec& node, const char* name) const {
    return network_.value(node.name + "." + name);
  }
  std::string keep(const nn::NodeSpec& node, const char* name, onnx::Dims dims, std::span<const float> values) {
    const std::string full = node.name + "." + name;
    model_.initializers.emplace_back(full, onnx::Tensor::of<float>(std::move(dims), values));
    return full;
  }

  const nn::Network& network_;
  onnx::Model model_;
};

}  // namespace

void write_onnx(const hpml::nn::Network& network, const std::string& path) {
  const std::string bytes = onnx::serialize(Exporter(network).run());
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    throw std::runtime_error(path + ": cannot be written");
  }
}

}  // namespace exported
