#pragma once
// A vector that is added to the channels of every pixel: the bias of convolutions and linear layers.
#include "common/nn/tensor.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn {

class Bias {
 public:
  Bias(int channels, ThreadPool& pool) : partial_(Shape{kSlices, 1, 1, channels}), pool_(pool) {}

  void add(const float* bias, View<float> y);
  // gradient[c] = sum of dy over all pixels: kSlices partial sums, added in their order.
  void gradient(View<const float> dy, float* gradient);

 private:
  Tensor partial_;
  ThreadPool& pool_;
};

}  // namespace hpml::nn
