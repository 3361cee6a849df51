// conv2d: a sum over the k x k window of every output pixel and over the input channels (slots.hpp has the formula).
// The convolution itself is a slot; this file adds the bias and says what it costs. Groups can be counted, not run.
#include <fmt/format.h>

#include <memory>

#include "common/nn/layers/bias.hpp"
#include "common/nn/layers/layer.hpp"
#include "common/nn/layers/ops.hpp"
#include "common/nn/layers/window.hpp"
#include "common/nn/slots.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {

namespace {

Window rows_of(const NodeSpec& node) {
  return {node.in_shapes[0].h, static_cast<int>(node.integer("kernel")), static_cast<int>(node.integer("stride")),
          static_cast<int>(node.integer("pad"))};
}

Window columns_of(const NodeSpec& node) {
  Window columns = rows_of(node);
  columns.size = node.in_shapes[0].w;
  return columns;
}

class Conv2dLayer : public Layer {
 public:
  explicit Conv2dLayer(const LayerContext& context) : bias_(context.node.out_shape.c, context.pool) {
    const NodeSpec& node = context.node;
    const Window rows = rows_of(node);
    const Shape in = node.in_shapes[0];
    const ConvShape shape{context.batch, in.h, in.w, in.c, node.out_shape.c, rows.kernel, rows.stride, rows.pad};
    kernels_ = context.slots.conv2d(shape, context.pool);
  }

  void forward(const ForwardPass& pass) override {
    kernels_->forward(pass.in[0], values_[0], pass.out);
    if (values_.size() > 1) {
      bias_.add(values_[1].data, pass.out);
    }
  }

  void backward(const BackwardPass& pass) override {
    kernels_->backward(pass.in[0], values_[0], pass.dout, pass.din[0], gradients_[0]);
    if (values_.size() > 1) {
      bias_.gradient(pass.dout, gradients_[1].data);
    }
  }

 private:
  std::unique_ptr<Conv2d> kernels_;
  Bias bias_;
};

std::string infer_conv2d(NodeSpec& node) {
  const Shape in = node.in_shapes[0];
  const Window rows = rows_of(node), columns = columns_of(node);
  const int channels = static_cast<int>(node.integer("channels")), groups = static_cast<int>(node.integer("groups"));
  if (!rows.fits() || !columns.fits()) {
    return fmt::format("kernel {} is larger than the padded input {}", rows.kernel, in.to_string());
  }
  if (in.c % groups != 0 || channels % groups != 0) {
    return fmt::format("{} groups do not divide {} input and {} output channels", groups, in.c, channels);
  }
  node.out_shape = {1, rows.positions(), columns.positions(), channels};
  const Shape weights{rows.kernel, rows.kernel, in.c / groups, channels};
  const int64_t fan_in = weights.size() / channels;
  node.params = {{"weight", weights, Init::uniform_fan_in, fan_in, true}};
  if (node.integer("bias") != 0) {
    node.params.push_back({"bias", {1, 1, 1, channels}, Init::uniform_fan_in, fan_in, true});
  }
  return "";
}

LayerCost conv2d_cost(const NodeSpec& node) {
  const int64_t channels_per_output = node.in_shapes[0].c / node.integer("groups");
  const int64_t products_per_tap = channels_per_output * node.out_shape.c;
  const Window rows = rows_of(node), columns = columns_of(node);
  return {.macs = int64_t{node.out_shape.h} * node.out_shape.w * rows.kernel * rows.kernel * products_per_tap,
          .executed_macs = rows.inner_taps() * columns.inner_taps() * products_per_tap};
}

std::unique_ptr<Layer> make_conv2d(const LayerContext& context) {
  return context.node.integer("groups") == 1 ? std::make_unique<Conv2dLayer>(context) : nullptr;
}

}  // namespace

Op conv2d_op() {
  return {.name = "conv2d",
          .inputs = 1,
          .attrs = {{.name = "channels", .min = 1, .max = 1 << 16},
                    {.name = "kernel", .min = 1, .max = kMaxKernel},
                    {.name = "stride", .required = false, .value = 1, .min = 1, .max = 64},
                    {.name = "pad", .required = false, .value = 0, .min = 0, .max = 64},
                    {.name = "groups", .required = false, .value = 1, .min = 1, .max = 1 << 16},
                    {.name = "bias", .required = false, .value = 0, .min = 0, .max = 1}},
          .infer = infer_conv2d,
          .cost = conv2d_cost,
          .make = make_conv2d};
}

}  // namespace hpml::nn
