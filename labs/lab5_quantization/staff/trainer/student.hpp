#pragma once
// The student's functions of P1 and P2, in a worker process of their own: they get weights or logits, and answer with masks,
// masked weights or gradients. Training and everything that decides about points happen in this process.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/worker/host.hpp"

namespace hpml::lab5 {

struct LayerShape {
  int64_t taps, ci, co;
  int64_t size() const { return taps * ci * co; }
};

class Pruner {
 public:
  enum class Method : uint8_t { layer = 0, global = 1, two_of_four = 2 };
  static worker::Answer<std::unique_ptr<Pruner>> start(const std::string& library, std::vector<LayerShape> layers);
  int64_t weights() const { return weights_; }
  // One byte per weight of all layers.
  worker::Answer<std::vector<uint8_t>> masks(Method method, double fraction, std::span<const float> w);
  worker::Answer<Ok> apply(std::span<float> w, std::span<const uint8_t> keep);

 private:
  std::unique_ptr<worker::Host> process_;
  std::vector<LayerShape> layers_;
  int64_t weights_ = 0;
};

struct DistillationSettings {
  double temperature = 4, alpha = 1;
};

class Distiller {
 public:
  // batch: the largest one.
  static worker::Answer<std::unique_ptr<Distiller>> start(const std::string& library, int64_t batch, int64_t classes);
  // Writes the gradient by the student network's logits and returns the loss.
  worker::Answer<double> loss(const DistillationSettings& settings, std::span<const float> teacher,
                              std::span<const float> student, std::span<const int32_t> labels, std::span<float> gradient);

 private:
  std::unique_ptr<worker::Host> process_;
  int64_t classes_ = 0;
};

}  // namespace hpml::lab5
