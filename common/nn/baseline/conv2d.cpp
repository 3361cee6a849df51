#include "common/nn/baseline/conv2d.hpp"

#include <algorithm>

#include "common/nn/baseline/kernels/conv_gather.hpp"
#include "common/nn/baseline/kernels/conv_weights.hpp"
#include "common/nn/baseline/kernels/naive.hpp"
#include "common/nn/gemm/matmul.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn::baseline {

namespace {

class DirectConv2d : public Conv2d {
 public:
  DirectConv2d(const gemm::Isa& isa, const ConvShape& shape, ThreadPool& pool)
      : forward_(isa, shape, GatherPass::Direction::forward),
        by_input_(isa, shape, GatherPass::Direction::backward),
        by_weights_(isa, shape),
        pool_(pool) {}

  void forward(View<const float> x, View<const float> w, View<float> y) override { forward_.run(x, w.data, y, pool_); }

  void backward(View<const float> x, View<const float> w, View<const float> dy, View<float> dx,
                View<float> dw) override {
    by_weights_.run(x, dy, dw, pool_);
    if (!dx.empty()) {
      by_input_.run(dy, w.data, dx, pool_);
    }
  }

 private:
  GatherPass forward_, by_input_;
  WeightsPass by_weights_;
  ThreadPool& pool_;
};

// Image by image: unroll the windows into the rows of a matrix, then one matrix product (Chellapilla et al. 2006).
class GemmConv2d : public Conv2d {
 public:
  GemmConv2d(const gemm::Isa& isa, const ConvShape& shape, ThreadPool& pool)
      : isa_(isa),
        s_(shape),
        pixels_(int64_t{shape.out_h()} * shape.out_w()),
        depth_(int64_t{shape.k} * shape.k * shape.ci),
        unrolled_(Shape{1, 1, static_cast<int>(pixels_), static_cast<int>(depth_)}),
        pool_(pool) {}

  void forward(View<const float> x, View<const float> w, View<float> y) override {
    for (int n = 0; n < x.shape.n; ++n) {
      unroll(x.images(n, 1));
      matmul(isa_, {.m = pixels_, .n = s_.co, .k = depth_}, unrolled_.data(), w.data, y.images(n, 1).data, pool_);
    }
  }

  void backward(View<const float> x, View<const float> w, View<const float> dy, View<float> dx,
                View<float> dw) override {
    for (int n = 0; n < x.shape.n; ++n) {
      unroll(x.images(n, 1));
      matmul(isa_, {.m = depth_, .n = s_.co, .k = pixels_, .transpose_a = true, .accumulate = n > 0}, unrolled_.data(),
             dy.images(n, 1).data, dw.data, pool_);
      if (!dx.empty()) {
        matmul(isa_, {.m = pixels_, .n = depth_, .k = s_.co, .transpose_b = true}, dy.images(n, 1).data, w.data,
               unrolled_.data(), pool_);
        fold(dx.images(n, 1));
      }
    }
  }

 private:
  // Visits every tap of every window: visit(place in the unrolled matrix, place in the image, inside the image?).
  template <class Visit>
  void for_each_tap(Visit&& visit) const {
    int64_t at = 0;
    for (int64_t p = 0; p < pixels_; ++p) {
      for (int kh = 0; kh < s_.k; ++kh) {
        for (int kw = 0; kw < s_.k; ++kw, at += s_.ci) {
          const int64_t ih = p / s_.out_w() * s_.stride - s_.pad + kh, iw = p % s_.out_w() * s_.stride - s_.pad + kw;
          visit(at, (ih * s_.w + iw) * s_.ci, ih >= 0 && ih < s_.h && iw >= 0 && iw < s_.w);
        }
      }
    }
  }

  void unroll(View<const float> image) {
    for_each_tap([&](int64_t to, int64_t from, bool inside) {
      if (inside) {
        std::copy_n(image.data + from, s_.ci, unrolled_.data() + to);
      } else {
        std::fill_n(unrolled_.data() + to, s_.ci, 0.0F);
      }
    });
  }

  void fold(View<float> image) const {
    std::fill_n(image.data, image.size(), 0.0F);
    for_each_tap([&](int64_t from, int64_t to, bool inside) {
      for (int c = 0; c < (inside ? s_.ci : 0); ++c) {
        image.data[to + c] += unrolled_.data()[from + c];
      }
    });
  }

  const gemm::Isa& isa_;
  ConvShape s_;
  int64_t pixels_, depth_;
  Tensor unrolled_;  // of one image: pixels x (k * k * ci)
  ThreadPool& pool_;
};

}  // namespace

std::unique_ptr<Conv2d> make_conv2d(Kernel kernel, const gemm::Isa& isa, const ConvShape& shape, ThreadPool& pool) {
  switch (kernel) {
    case Kernel::naive: return sliced_conv2d(shape, pool, naive_conv2d_forward<float>, naive_conv2d_backward<float>);
    case Kernel::gemm: return std::make_unique<GemmConv2d>(isa, shape, pool);
    case Kernel::direct: return std::make_unique<DirectConv2d>(isa, shape, pool);
  }
  return nullptr;
}

}  // namespace hpml::nn::baseline
