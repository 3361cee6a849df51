#pragma once
// The three rungs of the convolution.
#include <memory>

#include "common/nn/baseline/slots.hpp"
#include "common/nn/gemm/isa.hpp"

namespace hpml::nn::baseline {

std::unique_ptr<Conv2d> make_conv2d(Kernel kernel, const gemm::Isa& isa, const ConvShape& shape, ThreadPool& pool);

}  // namespace hpml::nn::baseline
