#pragma once
// The five optimizers for float and double.
#include <memory>

#include "common/nn/thread_pool.hpp"
#include "common/nn/train/optimizer.hpp"

namespace hpml::nn::baseline {

template <class T>
std::unique_ptr<BasicOptimizer<T>> make_optimizer(const OptimizerOptions& options, ThreadPool& pool);

}  // namespace hpml::nn::baseline
