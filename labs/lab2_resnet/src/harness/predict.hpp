#pragma once
// Times of a network's layers by your cost() and paleo().
#include <vector>

#include "common/nn/graph/graph.hpp"
#include "lab2.hpp"

namespace predict {

struct How {
  lab2::Device device;
  double ppp = 1;          // of the computation
  double memory_ppp = 1;   // of the memory time; PALEO's published program divides by the communication's PPP
};
struct LayerTimes {
  double forward_s = 0, backward_s = 0;
};
struct Prediction {
  std::vector<LayerTimes> layers;  // in graph order
  double forward_s = 0, backward_s = 0;
};
// Of a training step without the update. The backward pass does twice the work of the forward pass, in the first layer
// once.
Prediction step(const hpml::nn::Graph& graph, int images, const How& how);

}  // namespace predict
