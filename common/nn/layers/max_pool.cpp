// max_pool: the largest value of every window; the gradient goes to the first of the largest. Padding never wins.
#include <algorithm>
#include <memory>

#include "common/nn/layers/layer.hpp"
#include "common/nn/layers/ops.hpp"
#include "common/nn/layers/pool.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {

namespace {

class MaxPool : public Layer {
 public:
  explicit MaxPool(const LayerContext& context)
      : shape_(pool_shape(context.node)), winners_(context.node.out_shape.with_n(context.batch)), pool_(context.pool) {}

  void forward(const ForwardPass& pass) override {
    pool_.run(pass.out.shape.n, [&](int n) {
      const View<const float> x = pass.in[0].images(n, 1);
      const View<float> y = pass.out.images(n, 1);
      int32_t* winner = winners_.view().images(n, 1).data;
      for (int oh = 0; oh < y.shape.h; ++oh) {
        for (int ow = 0; ow < y.shape.w; ++ow) {
          const int64_t at = (int64_t{oh} * y.shape.w + ow) * y.shape.c;
          pool_pixel(x, oh, ow, y.data + at, winner + at);
        }
      }
    });
  }

  void backward(const BackwardPass& pass) override {
    if (pass.din[0].empty()) {
      return;
    }
    pool_.run(pass.dout.shape.n, [&](int n) {
      const View<float> dx = pass.din[0].images(n, 1);
      const View<const float> dy = pass.dout.images(n, 1);
      const int32_t* winner = winners_.view().images(n, 1).data;
      std::fill_n(dx.data, dx.size(), 0.0F);
      for (int64_t i = 0; i < dy.size(); ++i) {
        dx[winner[i]] += dy[i];
      }
    });
  }

  bool needs_input() const override { return false; }

 private:
  void pool_pixel(View<const float> x, int oh, int ow, float* y, int32_t* winner) const {
    const Window& rows = shape_.rows;
    const Window& columns = shape_.columns;
    for (int c = 0; c < x.shape.c; ++c) {
      int32_t best = -1;
      for (int kh = rows.first_tap(oh); kh < rows.last_tap(oh); ++kh) {
        for (int kw = columns.first_tap(ow); kw < columns.last_tap(ow); ++kw) {
          const int ih = oh * rows.stride - rows.pad + kh, iw = ow * columns.stride - columns.pad + kw;
          const int32_t at = (ih * x.shape.w + iw) * x.shape.c + c;
          best = best < 0 || x[at] > x[best] ? at : best;
        }
      }
      y[c] = x[best];
      winner[c] = best;
    }
  }

  PoolShape shape_;
  BasicTensor<int32_t> winners_;  // offset inside the image
  ThreadPool& pool_;
};

std::unique_ptr<Layer> make_max_pool(const LayerContext& context) { return std::make_unique<MaxPool>(context); }

}  // namespace

Op max_pool_op() {
  return {.name = "max_pool",
          .inputs = 1,
          .attrs = pool_attrs(),
          .infer = infer_pool,
          .cost = pool_cost,
          .make = make_max_pool};
}

}  // namespace hpml::nn
