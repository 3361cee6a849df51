// linear: y = x W + b on the flattened image (row, column, channel), W is inputs x features. The products are a slot.
#include <memory>

#include "common/nn/layers/bias.hpp"
#include "common/nn/layers/layer.hpp"
#include "common/nn/layers/ops.hpp"
#include "common/nn/slots.hpp"

namespace hpml::nn {

namespace {

class Linear : public Layer {
 public:
  explicit Linear(const LayerContext& context)
      : matmul_(context.slots.matmul),
        pool_(context.pool),
        bias_(context.node.out_shape.c, context.pool),
        inputs_(context.node.in_shapes[0].size()),
        features_(context.node.out_shape.c) {}

  void forward(const ForwardPass& pass) override {
    const MatMul product{.m = pass.out.shape.n, .n = features_, .k = inputs_};
    matmul_(product, pass.in[0].data, values_[0].data, pass.out.data, pool_);
    if (values_.size() > 1) {
      bias_.add(values_[1].data, pass.out);
    }
  }

  void backward(const BackwardPass& pass) override {
    const int64_t images = pass.dout.shape.n;
    const MatMul by_weights{.m = inputs_, .n = features_, .k = images, .transpose_a = true};
    matmul_(by_weights, pass.in[0].data, pass.dout.data, gradients_[0].data, pool_);
    if (!pass.din[0].empty()) {
      const MatMul by_input{.m = images, .n = inputs_, .k = features_, .transpose_b = true};
      matmul_(by_input, pass.dout.data, values_[0].data, pass.din[0].data, pool_);
    }
    if (values_.size() > 1) {
      bias_.gradient(pass.dout, gradients_[1].data);
    }
  }

 private:
  MatMulFunction matmul_;
  ThreadPool& pool_;
  Bias bias_;
  int64_t inputs_, features_;
};

std::string infer_linear(NodeSpec& node) {
  const int64_t inputs = node.in_shapes[0].size();
  const int features = static_cast<int>(node.integer("features"));
  if (inputs > 1 << 28) {
    return "has more than 2^28 inputs";
  }
  node.out_shape = {1, 1, 1, features};
  node.params = {{"weight", {1, 1, static_cast<int>(inputs), features}, Init::uniform_fan_in, inputs, true}};
  if (node.integer("bias") != 0) {
    node.params.push_back({"bias", {1, 1, 1, features}, Init::uniform_fan_in, inputs, true});
  }
  return "";
}

LayerCost linear_cost(const NodeSpec& node) {
  const int64_t macs = node.in_shapes[0].size() * node.out_shape.c;
  return {.macs = macs, .executed_macs = macs};
}

std::unique_ptr<Layer> make_linear(const LayerContext& context) { return std::make_unique<Linear>(context); }

}  // namespace

Op linear_op() {
  return {.name = "linear",
          .inputs = 1,
          .attrs = {{.name = "features", .min = 1, .max = 1 << 24},
                    {.name = "bias", .required = false, .value = 1, .min = 0, .max = 1}},
          .infer = infer_linear,
          .cost = linear_cost,
          .make = make_linear};
}

}  // namespace hpml::nn
