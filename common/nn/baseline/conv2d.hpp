#pragma once
// The three rungs of the convolution.
#include <memory>

#include "common/nn/baseline/kernels/isa.hpp"
#include "common/nn/baseline/slots.hpp"

namespace hpml::nn::baseline {

std::unique_ptr<Conv2d> make_conv2d(Kernel kernel, const Isa& isa, const ConvShape& shape, ThreadPool& pool);

}  // namespace hpml::nn::baseline
