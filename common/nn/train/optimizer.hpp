#pragma once
// Optimizers, as PyTorch defines them. Each starts from g = gradient + weight_decay * value.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hpml::nn {

// float in training; double so that a trace can be checked to 12 digits.
template <class T>
struct BasicParam {
  std::string_view name;  // "group1.block0.conv1.weight"
  std::span<T> value;
  std::span<const T> gradient;
};
using Param = BasicParam<float>;

enum class OptimizerKind : uint8_t { sgd, nesterov, adagrad, adadelta, adam };

struct OptimizerOptions {
  OptimizerKind kind = OptimizerKind::sgd;
  double lr = 0.1;
  double momentum = 0.9;  // sgd, nesterov
  double weight_decay = 5e-4;
  double rho = 0.9;                   // adadelta
  double beta1 = 0.9, beta2 = 0.999;  // adam
  // 0: the kind's own, adagrad 1e-10, adadelta 1e-6, adam 1e-8
  double eps = 0;
};

template <class T>
class BasicOptimizer {
 public:
  virtual ~BasicOptimizer() = default;
  // One update. Every call passes the same parameters in the same order; the first call sizes the state.
  virtual void step(std::span<const BasicParam<T>> params) = 0;
  virtual std::size_t state_bytes() const = 0;  // of moments and buffers; step counters not counted
};
using Optimizer = BasicOptimizer<float>;

}  // namespace hpml::nn
