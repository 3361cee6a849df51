#pragma once
// A graph that runs: parameters, activations, gradients, and the layers in order and back.
//
//     HPML_TRY(Network net, Network::build(resnet8_cifar(), {.batch = 64, .seed = 1}, slots, pool));
//     auto optimizer = slots.optimizer(options, pool);
//     while (auto batch = loader->next()) {
//       StepResult r = net.train_step(batch->images, batch->labels);   // forward, loss, backward
//       optimizer->step(net.parameters());
//     }
//
// After build() nothing is allocated.
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "common/nn/graph/graph.hpp"
#include "common/nn/slots.hpp"
#include "common/nn/tensor.hpp"
#include "common/nn/train/optimizer.hpp"

namespace hpml::nn {

struct NetworkOptions {
  int batch = 128;       // the largest number of images of one call
  uint64_t seed = 1;     // of the initial weights
  bool training = true;  // false: no gradients, activations share memory, only infer() may be called
};

struct StepResult {
  double loss = 0;  // mean softmax cross-entropy over the images
  int correct = 0;  // images whose largest logit (the first of equals) is their label's
};

// A loss of one's own: reads the logits, n x 1 x 1 x classes, writes its gradient by them, and returns its value.
using LossFunction = std::function<double(View<const float> logits, View<float> dlogits)>;

class Network {
 public:
  // Error: a node that cannot run (grouped convolutions), or an output that is not 1 x 1 x 1 x classes. The pool
  // outlives the network.
  static Result<Network> build(Graph graph, const NetworkOptions& options, const Slots& slots, ThreadPool& pool);
  ~Network();
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;

  const Graph& graph() const;

  // Forward in training mode, loss, backward: gradients of all parameters are written.
  StepResult train_step(View<const float> images, std::span<const int32_t> labels);
  // The same with another loss; returns its value.
  double train_step(View<const float> images, const LossFunction& loss);
  // Forward with running statistics. The logits, n x 1 x 1 x classes, are valid until the next call.
  View<const float> infer(View<const float> images);
  StepResult evaluate(View<const float> images, std::span<const int32_t> labels);

  // Trainable parameters in graph order; names are "<node>.<param>".
  std::span<const Param> parameters() const;
  // Value of any parameter or buffer, empty when there is none of that name.
  View<float> value(std::string_view name) const;
  View<const float> gradient(std::string_view name) const;
  // The output of a node in the last pass; only in training networks, and not for nodes that were computed in place.
  View<const float> activation(std::string_view node) const;

  // Every layer's pass becomes a span of the tracer; null turns it off.
  void set_tracer(Tracer* tracer);

  int64_t activation_bytes() const, gradient_bytes() const;

 private:
  struct Impl;
  explicit Network(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Mean softmax cross-entropy of logits (n x classes) and its gradient (may be empty).
StepResult softmax_cross_entropy(View<const float> logits, std::span<const int32_t> labels, View<float> dlogits);

}  // namespace hpml::nn
