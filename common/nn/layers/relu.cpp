// relu: y = max(x, 0). Its gradient passes where y > 0, so y is all that backward needs, and both passes may work in
// place.
#include <memory>

#include "common/nn/layers/layer.hpp"
#include "common/nn/layers/ops.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {

namespace {

class Relu : public Layer {
 public:
  explicit Relu(ThreadPool& pool) : pool_(pool) {}

  void forward(const ForwardPass& pass) override {
    const float* x = pass.in[0].data;
    float* y = pass.out.data;
    pool_.run(kSlices, [&](int slice) {
      const Range range = part(pass.out.size(), slice, kSlices);
      for (int64_t i = range.begin; i < range.end; ++i) {
        y[i] = x[i] > 0 ? x[i] : 0;
      }
    });
  }

  void backward(const BackwardPass& pass) override {
    if (pass.din[0].empty()) {
      return;
    }
    const float* y = pass.out.data;
    const float* dy = pass.dout.data;
    float* dx = pass.din[0].data;
    pool_.run(kSlices, [&](int slice) {
      const Range range = part(pass.out.size(), slice, kSlices);
      for (int64_t i = range.begin; i < range.end; ++i) {
        const float gradient = dy[i];
        dx[i] = y[i] > 0 ? gradient : 0;
      }
    });
  }

  bool needs_input() const override { return false; }
  bool needs_output() const override { return true; }
  bool forward_in_place() const override { return true; }
  bool backward_in_place() const override { return true; }

 private:
  ThreadPool& pool_;
};

std::string infer_relu(NodeSpec& node) {
  node.out_shape = node.in_shapes[0];
  return "";
}

LayerCost relu_cost(const NodeSpec& node) { return {.other_flop = node.out_shape.size()}; }

std::unique_ptr<Layer> make_relu(const LayerContext& context) { return std::make_unique<Relu>(context.pool); }

}  // namespace

Op relu_op() {
  return {.name = "relu", .inputs = 1, .attrs = {}, .infer = infer_relu, .cost = relu_cost, .make = make_relu};
}

}  // namespace hpml::nn
