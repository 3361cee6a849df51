// add: y = a + b, the end of a residual block. Both inputs get the gradient of y.
#include <algorithm>
#include <memory>

#include "common/nn/layers/layer.hpp"
#include "common/nn/layers/ops.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {

namespace {

class Add : public Layer {
 public:
  explicit Add(ThreadPool& pool) : pool_(pool) {}

  void forward(const ForwardPass& pass) override {
    const float* a = pass.in[0].data;
    const float* b = pass.in[1].data;
    float* y = pass.out.data;
    pool_.run(kSlices, [&](int slice) {
      const Range range = part(pass.out.size(), slice, kSlices);
      for (int64_t i = range.begin; i < range.end; ++i) {
        y[i] = a[i] + b[i];
      }
    });
  }

  void backward(const BackwardPass& pass) override {
    pool_.run(kSlices, [&](int slice) {
      const Range range = part(pass.dout.size(), slice, kSlices);
      for (const View<float>& din : pass.din) {
        if (!din.empty() && din.data != pass.dout.data) {
          std::copy_n(pass.dout.data + range.begin, range.size(), din.data + range.begin);
        }
      }
    });
  }

  bool needs_input() const override { return false; }
  bool forward_in_place() const override { return true; }
  bool backward_in_place() const override { return true; }

 private:
  ThreadPool& pool_;
};

std::string infer_add(NodeSpec& node) {
  node.out_shape = node.in_shapes[0];
  if (node.in_shapes[0] != node.in_shapes[1]) {
    return "adds " + node.in_shapes[0].to_string() + " and " + node.in_shapes[1].to_string();
  }
  return "";
}

LayerCost add_cost(const NodeSpec& node) { return {.other_flop = node.out_shape.size()}; }

std::unique_ptr<Layer> make_add(const LayerContext& context) { return std::make_unique<Add>(context.pool); }

}  // namespace

Op add_op() {
  return {.name = "add", .inputs = 2, .attrs = {}, .infer = infer_add, .cost = add_cost, .make = make_add};
}

}  // namespace hpml::nn
