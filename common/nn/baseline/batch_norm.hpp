#pragma once
// Batch normalisation (slots.hpp).
#include <memory>

#include "common/nn/slots.hpp"

namespace hpml::nn::baseline {

std::unique_ptr<BatchNorm> make_batch_norm(Shape largest, ThreadPool& pool);

}  // namespace hpml::nn::baseline
