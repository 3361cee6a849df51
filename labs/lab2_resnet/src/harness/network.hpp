#pragma once
// The library's network, with your functions in its slots, as a Model.
#include <memory>

#include "common/nn/graph/graph.hpp"
#include "common/nn/slots.hpp"
#include "lab2.hpp"

namespace hpml::nn {
class Network;
}

namespace network {

// Slots filled with the functions of lab2.hpp.
hpml::nn::Slots student_slots();

// The graph that --model, --width and --no-batch-norm name.
hpml::nn::Graph graph_of(const lab2::TrainOptions& options);

class Model : public lab2::Model {
 public:
  virtual const hpml::nn::Network& network() const = 0;
};
// A network with your layers and optimizer; a tracer (may be null) gets a span for every layer, update and step.
std::unique_ptr<Model> make_model(const lab2::TrainOptions& options, lab2::Tracer* tracer);

}  // namespace network
