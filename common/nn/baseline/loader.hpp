#pragma once
// Batches of a data set by worker threads (data/loader.hpp).
#include <memory>

#include "common/nn/data/loader.hpp"

namespace hpml::nn::baseline {

std::unique_ptr<DataLoader> make_loader(const Dataset& dataset, const LoaderOptions& options);

}  // namespace hpml::nn::baseline
