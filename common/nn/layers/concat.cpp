// concat: joins its inputs along the channels, in their order.
#include <algorithm>
#include <memory>

#include "common/nn/layers/layer.hpp"
#include "common/nn/layers/ops.hpp"

namespace hpml::nn {

namespace {

class Concat : public Layer {
 public:
  void forward(const ForwardPass& pass) override {
    int64_t offset = 0;
    for (const View<const float>& in : pass.in) {
      copy_channels(in.data, in.shape.c, 0, pass.out.data, pass.out.shape.c, offset, in);
      offset += in.shape.c;
    }
  }

  void backward(const BackwardPass& pass) override {
    int64_t offset = 0;
    for (size_t i = 0; i < pass.din.size(); ++i) {
      const View<float>& din = pass.din[i];
      if (!din.empty()) {
        copy_channels(pass.dout.data, pass.dout.shape.c, offset, din.data, din.shape.c, 0, din);
      }
      offset += widths_[i];
    }
  }

  explicit Concat(const NodeSpec& node) {
    for (const Shape& in : node.in_shapes) {
      widths_.push_back(in.c);
    }
  }
  bool needs_input() const override { return false; }

 private:
  // Copies `narrow.shape.c` channels of every pixel between two images with different numbers of channels.
  static void copy_channels(const float* from, int64_t from_c, int64_t from_offset, float* to, int64_t to_c,
                            int64_t to_offset, View<const float> narrow) {
    const int64_t pixels = narrow.size() / narrow.shape.c;
    for (int64_t p = 0; p < pixels; ++p) {
      std::copy_n(from + p * from_c + from_offset, narrow.shape.c, to + p * to_c + to_offset);
    }
  }

  std::vector<int> widths_;
};

std::string infer_concat(NodeSpec& node) {
  node.out_shape = node.in_shapes[0];
  node.out_shape.c = 0;
  for (const Shape& in : node.in_shapes) {
    if (in.h != node.out_shape.h || in.w != node.out_shape.w) {
      return "joins " + node.in_shapes[0].to_string() + " and " + in.to_string();
    }
    node.out_shape.c += in.c;
  }
  return "";
}

LayerCost concat_cost(const NodeSpec&) { return {}; }

std::unique_ptr<Layer> make_concat(const LayerContext& context) { return std::make_unique<Concat>(context.node); }

}  // namespace

Op concat_op() {
  return {.name = "concat", .inputs = -1, .attrs = {}, .infer = infer_concat, .cost = concat_cost, .make = make_concat};
}

}  // namespace hpml::nn
