// avg_pool: the mean of every window. Padding counts as zeros (the divisor is always kernel * kernel).
#include <algorithm>
#include <memory>

#include "common/nn/layers/layer.hpp"
#include "common/nn/layers/ops.hpp"
#include "common/nn/layers/pool.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {

namespace {

class AvgPool : public Layer {
 public:
  explicit AvgPool(const LayerContext& context) : shape_(pool_shape(context.node)), pool_(context.pool) {}

  void forward(const ForwardPass& pass) override {
    const View<const float> x = pass.in[0];
    pool_.run(x.shape.n, [&](int n) {
      const View<float> y = pass.out.images(n, 1);
      std::fill_n(y.data, y.size(), 0.0F);
      for_each_tap([&](int oh, int ow, int ih, int iw) {
        const float* from = &x.at(n, ih, iw, 0);
        float* to = &y.at(0, oh, ow, 0);
        for (int c = 0; c < x.shape.c; ++c) {
          to[c] += from[c];
        }
      });
      for (float& value : y.span()) {
        value *= scale();
      }
    });
  }

  void backward(const BackwardPass& pass) override {
    if (pass.din[0].empty()) {
      return;
    }
    pool_.run(pass.dout.shape.n, [&](int n) {
      const View<float> dx = pass.din[0].images(n, 1);
      std::fill_n(dx.data, dx.size(), 0.0F);
      for_each_tap([&](int oh, int ow, int ih, int iw) {
        const float* from = &pass.dout.at(n, oh, ow, 0);
        float* to = &dx.at(0, ih, iw, 0);
        for (int c = 0; c < dx.shape.c; ++c) {
          to[c] += from[c] * scale();
        }
      });
    });
  }

  bool needs_input() const override { return false; }

 private:
  float scale() const { return 1.0F / static_cast<float>(shape_.rows.kernel * shape_.columns.kernel); }

  template <class Visit>
  void for_each_tap(Visit&& visit) const {
    const Window& rows = shape_.rows;
    const Window& columns = shape_.columns;
    for (int oh = 0; oh < rows.positions(); ++oh) {
      for (int ow = 0; ow < columns.positions(); ++ow) {
        for (int kh = rows.first_tap(oh); kh < rows.last_tap(oh); ++kh) {
          for (int kw = columns.first_tap(ow); kw < columns.last_tap(ow); ++kw) {
            visit(oh, ow, oh * rows.stride - rows.pad + kh, ow * columns.stride - columns.pad + kw);
          }
        }
      }
    }
  }

  PoolShape shape_;
  ThreadPool& pool_;
};

std::unique_ptr<Layer> make_avg_pool(const LayerContext& context) { return std::make_unique<AvgPool>(context); }

}  // namespace

Op avg_pool_op() {
  return {.name = "avg_pool",
          .inputs = 1,
          .attrs = pool_attrs(),
          .infer = infer_pool,
          .cost = pool_cost,
          .make = make_avg_pool};
}

}  // namespace hpml::nn
