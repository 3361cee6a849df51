#pragma once
// A network whose convolutions see quantised weights and inputs, in float: the accuracy of a quantised network without
// integers, and its training (straight-through estimator). The stem and the linear layer stay in float.
//
// It is made of slots: each convolution's Conv2d fake-quantises and then calls the convolution of the slots below.
#include <memory>

#include "networks/network.hpp"
#include "networks/quantize.hpp"

namespace hpml::lab5 {

// fake_quant.cpp of a student or the grader's own; src/lab5.hpp says what they do.
struct FakeQuantFunctions {
  void (*forward)(int64_t n, const float* x, float scale, int32_t zero, int32_t qmin, int32_t qmax, float* y,
                  uint8_t* mask);
  void (*backward)(int64_t n, const uint8_t* mask, const float* dy, float* dx);
  void (*weights)(int64_t n, int32_t co, const float* w, const float* factor, const float* scales, int32_t bits,
                  float* y, uint8_t* mask);
};
FakeQuantFunctions our_fake_quant();

struct QuantPlan {
  int weight_bits = 8, activation_bits = 8;  // 0: stays float
  bool per_channel = true;
  bool mse_activations = true, mse_weights = false;  // false: the whole observed range
  int only = -1;  // the one convolution that is quantised, in graph order; -1: all but the stem
};

class QuantizedNetwork {
 public:
  // Reads the weights and observes the ranges on the calibration images. Errors: those of read_weights.
  static Result<QuantizedNetwork> make(const std::string& weights, const QuantPlan& plan,
                                       const FakeQuantFunctions& functions, const Images& calibration,
                                       nn::ThreadPool& pool, nn::Slots below = nn::baseline_slots());
  ~QuantizedNetwork();
  QuantizedNetwork(QuantizedNetwork&&) noexcept;

  nn::Network& network();
  const nn::Slots& slots() const;
  // After the weights have changed: gamma / sigma is computed again; ranges and scales stay.
  void refresh();
  // Ranges and scales from the weights that are in the network now.
  void calibrate(const Images& images);
  int convolutions() const;

 private:
  struct Impl;
  explicit QuantizedNetwork(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hpml::lab5
