#pragma once
// A GPU that is not there: every step takes the time that your PALEO predicts, and computes nothing.
#include <memory>

#include "lab2.hpp"

namespace simulated {

// options.device is "sim:NAME"; std::invalid_argument for an unknown name. The loss is that of guessing.
std::unique_ptr<lab2::Model> make_model(const lab2::TrainOptions& options);

}  // namespace simulated
