// batch_norm: normalises every channel with the mean and variance of the batch, or in inference with running averages
// (Ioffe, Szegedy 2015). The arithmetic is a slot (slots.hpp, BatchNorm).
#include "common/nn/layers/layer.hpp"
#include "common/nn/layers/ops.hpp"
#include "common/nn/slots.hpp"

namespace hpml::nn {

namespace {

class BatchNormLayer : public Layer {
 public:
  explicit BatchNormLayer(const LayerContext& context)
      : kernels_(context.slots.batch_norm(context.node.out_shape.with_n(context.batch), context.pool)),
        eps_(static_cast<float>(context.node.real("eps"))),
        momentum_(static_cast<float>(context.node.real("momentum"))) {}

  void forward(const ForwardPass& pass) override { kernels_->forward(pass.in[0], params(), pass.training, pass.out); }

  void backward(const BackwardPass& pass) override {
    kernels_->backward(pass.in[0], pass.dout, params(), pass.din[0], gradients_[0].span(), gradients_[1].span());
  }

  bool backward_in_place() const override { return true; }

 private:
  BatchNormParams params() const {
    return {values_[0].span(), values_[1].span(), values_[2].span(), values_[3].span(), eps_, momentum_};
  }

  std::unique_ptr<BatchNorm> kernels_;
  float eps_, momentum_;
};

std::string infer_batch_norm(NodeSpec& node) {
  node.out_shape = node.in_shapes[0];
  const Shape channels{1, 1, 1, node.out_shape.c};
  node.params = {{"gamma", channels, Init::ones, 0, true},
                 {"beta", channels, Init::zeros, 0, true},
                 {"running_mean", channels, Init::zeros, 0, false},
                 {"running_var", channels, Init::ones, 0, false}};
  return "";
}

// In inference: one multiplication and one addition per element.
LayerCost batch_norm_cost(const NodeSpec& node) { return {.other_flop = 2 * node.out_shape.size()}; }

std::unique_ptr<Layer> make_batch_norm(const LayerContext& context) {
  return std::make_unique<BatchNormLayer>(context);
}

}  // namespace

Op batch_norm_op() {
  using enum AttrRule::Kind;
  return {.name = "batch_norm",
          .inputs = 1,
          .attrs = {{.name = "eps", .kind = real, .required = false, .value = 1e-5, .min = 0, .max = 1},
                    {.name = "momentum", .kind = real, .required = false, .value = 0.1, .min = 0, .max = 1}},
          .infer = infer_batch_norm,
          .cost = batch_norm_cost,
          .make = make_batch_norm};
}

}  // namespace hpml::nn
