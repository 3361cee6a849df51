#pragma once
// The gradient of a convolution by its weights, direct: dw[kh,kw] = sum over output pixels of (the pixel's source in x)
// times (the pixel of dy), one matrix product per tap whose inner dimension runs along the rows of the images.
#include "common/nn/gemm/isa.hpp"
#include "common/nn/slots.hpp"

namespace hpml::nn::baseline {

class WeightsPass {
 public:
  WeightsPass(const gemm::Isa& isa, const ConvShape& shape);

  void run(View<const float> x, View<const float> dy, View<float> dw, ThreadPool& pool) const;

 private:
  struct Call;

  const gemm::Isa& isa_;
  ConvShape shape_;
  int vectors_;
  int64_t width_;
  int blocks_, parts_;  // tasks: blocks of output channels times parts of the batch, both fixed by the shape
  Tensor partial_;      // sums of parts 1, 2, ...; part 0 writes dw
};

}  // namespace hpml::nn::baseline
