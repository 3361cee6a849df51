#pragma once
// The library's network, with your functions in its slots, as a Model.
#include <memory>

#include "common/nn/slots.hpp"
#include "lab2.hpp"

namespace network {

// Slots filled with the functions of lab2.hpp.
hpml::nn::Slots student_slots();

// A network with your layers and optimizer; a tracer (may be null) gets a span for every layer, update and step.
std::unique_ptr<lab2::Model> make_model(const lab2::TrainOptions& options, lab2::Tracer* tracer);

}  // namespace network
