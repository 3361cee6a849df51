#pragma once
// A layer computes one node: an explicit forward and an explicit backward pass. There is no tape; the executor
// (train/network.hpp) calls the layers in order and back.
//
// A layer may keep what its own backward pass needs from its last forward pass in training mode (a batch's mean, the
// place of a maximum). It allocates in its constructor only.
#include <span>

#include "common/nn/tensor.hpp"

namespace hpml::nn {

struct ForwardPass {
  std::span<const View<const float>> in;  // one per input of the node; n <= the layer's batch
  View<float> out;                        // every element is written
  bool training = false;                  // batch statistics are used and recorded
};

struct BackwardPass {
  std::span<const View<const float>> in;  // as in the forward pass; empty views where needs_input() is false
  View<const float> out;                  // what forward wrote; empty where needs_output() is false
  View<const float> dout;                 // gradient of the loss by out
  // Gradients by the inputs: every element is written (not added to). A view may be empty: not wanted.
  std::span<const View<float>> din;
};

class Layer {
 public:
  virtual ~Layer() = default;
  virtual void forward(const ForwardPass& pass) = 0;
  // Also writes the gradients of the parameters.
  virtual void backward(const BackwardPass& pass) = 0;

  // What backward reads: tells the executor which activations must live until then.
  virtual bool needs_input() const { return true; }
  virtual bool needs_output() const { return false; }
  // forward may get its first input's memory as `out`; backward may get dout's memory as din[0].
  virtual bool forward_in_place() const { return false; }
  virtual bool backward_in_place() const { return false; }

  // Values and gradients of the node's params, in their order; called once before the first pass. The gradient view of
  // a buffer is empty.
  virtual void bind(std::span<const View<float>> values, std::span<const View<float>> gradients);

 protected:
  std::span<const View<float>> values_, gradients_;
};

}  // namespace hpml::nn
