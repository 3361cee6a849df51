#pragma once
// The student's layers and optimizer in a worker, as slots of a network in this process.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "common/nn/slots.hpp"
#include "common/worker/host.hpp"
#include "lab2.hpp"

namespace hpml::lab2 {

class Layers {
 public:
  struct Most {
    int64_t activation = 0, parameters = 0;  // elements of the largest tensor; of all weights together
  };
  // library: training_library.cpp.
  static Answer<std::unique_ptr<Layers>> start(const std::string& library, const Most& most);

  nn::Slots slots();  // what convolution and batch norm need; they live as long as this object
  // One step of the optimizer on all parameters.
  void step(const ::lab2::OptimizerOptions& options, std::span<const nn::Param> params);
  // The first call that the worker did not answer: all that came after it is not computed.
  Answer<Ok> status() const;

 private:
  friend class HostedConv;
  friend class HostedNorm;
  struct Source {
    const float* data;
    int64_t count;
  };
  struct Target {
    float* data;
    int64_t count;
  };
  explicit Layers(std::unique_ptr<worker::Host> host) : host_(std::move(host)) {}
  void ask(const struct Call& call, std::span<const Source> in, std::span<const Target> out);

  std::unique_ptr<worker::Host> host_;
  std::optional<Failure> failure_;
  int64_t made_ = 0, step_ = 0;
  std::vector<float> theta_, gradient_;
};

}  // namespace hpml::lab2
