#pragma once
// Where the outputs and the gradients of a graph's nodes lie: the executor's memory, decided when a network is built.
#include <memory>
#include <vector>

#include "common/nn/graph/graph.hpp"
#include "common/nn/layers/layer.hpp"
#include "common/nn/train/buffers.hpp"

namespace hpml::nn {

// One node of a network that can run. Pointers are for the largest batch.
struct Step {
  const NodeSpec* node = nullptr;
  int index = 0;
  std::unique_ptr<Layer> layer;
  std::vector<int> inputs;     // indices of nodes, -1 for the graph's input
  float* out = nullptr;        // may be the memory of the first input
  bool overwritten = false;    // a later node writes its own output here
  float* dout = nullptr;       // gradient by the output
  std::vector<float*> din;     // where backward writes the gradients by the inputs; null: not wanted
  std::vector<float*> add_to;  // the gradient that din[i] must then be added to, null: din[i] is it

  // The views of one call, kept so that no call allocates.
  std::vector<View<const float>> in_views;
  std::vector<View<float>> din_views;
};

// Gives every step its `out`. Training: an output lives as long as the network, unless the next node works in place.
// Inference: memory is reused as soon as all readers are done.
void plan_activations(std::vector<Step>& steps, int batch, bool training, Buffers& buffers);

// Gives every step its dout and din. The gradient of a node with several readers is written by the one whose backward
// pass comes first; the others write beside it and are added, in the order of the passes.
void plan_gradients(std::vector<Step>& steps, int batch, Buffers& buffers);

}  // namespace hpml::nn
