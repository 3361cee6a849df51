#pragma once
// A tracer with one buffer per thread (profile/trace.hpp).
#include <memory>

#include "common/nn/profile/trace.hpp"

namespace hpml::nn::baseline {

std::unique_ptr<Tracer> make_tracer();

}  // namespace hpml::nn::baseline
