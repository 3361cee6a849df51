// A student's pair of convolution functions, run on slices of the batch.
#include <algorithm>
#include <memory>
#include <utility>

#include "common/nn/slots.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {

namespace {

class SlicedConv2d : public Conv2d {
 public:
  SlicedConv2d(const ConvShape& shape, ThreadPool& pool, Conv2dForward forward, Conv2dBackward backward)
      : shape_(shape),
        partial_(Shape{kSlices, 1, 1, static_cast<int>(shape.weight_shape().size())}),
        pool_(pool),
        forward_(std::move(forward)),
        backward_(std::move(backward)) {}

  void forward(View<const float> x, View<const float> w, View<float> y) override {
    pool_.run(kSlices, [&](int slice) {
      const Range images = part(x.shape.n, slice, kSlices);
      if (images.size() > 0) {
        forward_(shape_of(images), piece(x, images), w, piece(y, images));
      }
    });
  }

  void backward(View<const float> x, View<const float> w, View<const float> dy, View<float> dx,
                View<float> dw) override {
    const int64_t weights = dw.size();
    pool_.run(kSlices, [&](int slice) {
      const Range images = part(x.shape.n, slice, kSlices);
      const View<float> own{partial_.data() + slice * weights, dw.shape};
      if (images.size() == 0) {
        std::fill_n(own.data, weights, 0.0F);
        return;
      }
      backward_(shape_of(images), piece(x, images), w, piece(dy, images), dx.empty() ? dx : piece(dx, images), own);
    });
    pool_.run(kSlices, [&](int slice) {
      const Range range = part(weights, slice, kSlices);
      std::copy(partial_.data() + range.begin, partial_.data() + range.end, dw.data + range.begin);
      for (int other = 1; other < kSlices; ++other) {
        for (int64_t i = range.begin; i < range.end; ++i) {
          dw.data[i] += partial_.data()[other * weights + i];
        }
      }
    });
  }

 private:
  ConvShape shape_of(Range images) const {
    ConvShape shape = shape_;
    shape.n = static_cast<int>(images.size());
    return shape;
  }
  template <class T>
  static View<T> piece(View<T> whole, Range images) {
    return whole.images(static_cast<int>(images.begin), static_cast<int>(images.size()));
  }

  ConvShape shape_;
  Tensor partial_;  // dw of every slice
  ThreadPool& pool_;
  Conv2dForward forward_;
  Conv2dBackward backward_;
};

}  // namespace

std::unique_ptr<Conv2d> sliced_conv2d(const ConvShape& shape, ThreadPool& pool, Conv2dForward forward,
                                      Conv2dBackward backward) {
  return std::make_unique<SlicedConv2d>(shape, pool, std::move(forward), std::move(backward));
}

}  // namespace hpml::nn
