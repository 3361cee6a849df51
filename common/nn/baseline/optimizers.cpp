#include "common/nn/baseline/optimizers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "common/base/check.hpp"
#include "common/nn/tensor.hpp"

namespace hpml::nn::baseline {

namespace {

// Every rule updates one element; a and b are its moments. Scalars are computed in double and rounded once to T;
// element arithmetic happens in the written order and without fused multiply-add, so a trace can be compared bit by
// bit.
template <class T>
struct Sgd {
  static constexpr int kMoments = 1;
  T lr, mu;
  bool first, nesterov;

  Sgd(const OptimizerOptions& o, int64_t step)
      : lr(static_cast<T>(o.lr)),
        mu(static_cast<T>(o.momentum)),
        first(step == 1),
        nesterov(o.kind == OptimizerKind::nesterov) {}
  void update(T& theta, T g, T& buffer, T&) const {
    buffer = first ? g : mu * buffer + g;
    theta -= lr * (nesterov ? g + mu * buffer : buffer);
  }
};

template <class T>
struct Adagrad {
  static constexpr int kMoments = 1;
  T lr, eps;

  Adagrad(const OptimizerOptions& o, int64_t) : lr(static_cast<T>(o.lr)), eps(static_cast<T>(o.eps)) {}
  void update(T& theta, T g, T& sum, T&) const {
    sum += g * g;
    theta -= (lr * g) / (std::sqrt(sum) + eps);
  }
};

template <class T>
struct Adadelta {
  static constexpr int kMoments = 2;
  T lr, rho, rest, eps;

  Adadelta(const OptimizerOptions& o, int64_t)
      : lr(static_cast<T>(o.lr)),
        rho(static_cast<T>(o.rho)),
        rest(static_cast<T>(1.0 - o.rho)),
        eps(static_cast<T>(o.eps)) {}
  void update(T& theta, T g, T& squares, T& updates) const {
    squares = rho * squares + (rest * g) * g;
    const T delta = (std::sqrt(updates + eps) / std::sqrt(squares + eps)) * g;
    updates = rho * updates + (rest * delta) * delta;
    theta -= lr * delta;
  }
};

template <class T>
struct Adam {
  static constexpr int kMoments = 2;
  T b1, rest1, b2, rest2, rate, root2, eps;

  Adam(const OptimizerOptions& o, int64_t step)
      : b1(static_cast<T>(o.beta1)),
        rest1(static_cast<T>(1.0 - o.beta1)),
        b2(static_cast<T>(o.beta2)),
        rest2(static_cast<T>(1.0 - o.beta2)),
        rate(static_cast<T>(o.lr / (1.0 - power(o.beta1, step)))),
        root2(static_cast<T>(std::sqrt(1.0 - power(o.beta2, step)))),
        eps(static_cast<T>(o.eps)) {}
  void update(T& theta, T g, T& mean, T& square) const {
    mean = b1 * mean + rest1 * g;
    square = b2 * square + (rest2 * g) * g;
    theta -= rate * (mean / (std::sqrt(square) / root2 + eps));
  }

 private:
  static double power(double base, int64_t exponent) {  // by repeated multiplication: the same bits everywhere
    double result = 1;
    for (int64_t i = 0; i < exponent; ++i) {
      result *= base;
    }
    return result;
  }
};

double default_eps(OptimizerKind kind) {
  switch (kind) {
    case OptimizerKind::sgd:
    case OptimizerKind::nesterov: return 0;
    case OptimizerKind::adagrad: return 1e-10;
    case OptimizerKind::adadelta: return 1e-6;
    case OptimizerKind::adam: return 1e-8;
  }
  return 0;
}

template <class T, template <class> class Rule>
class ElementWise : public BasicOptimizer<T> {
 public:
  ElementWise(const OptimizerOptions& options, ThreadPool& pool) : options_(options), pool_(pool) {
    options_.eps = options_.eps == 0 ? default_eps(options_.kind) : options_.eps;
  }

  void step(std::span<const BasicParam<T>> params) override {
    if (state_.empty()) {
      for (const BasicParam<T>& param : params) {
        state_.emplace_back(Rule<T>::kMoments * param.value.size());
      }
    }
    HPML_CHECK(state_.size() == params.size(),
               fmt::format("{} parameters, {} at the first step", params.size(), state_.size()));
    const Rule<T> rule(options_, ++steps_);
    const T decay = static_cast<T>(options_.weight_decay);
    for (size_t i = 0; i < params.size(); ++i) {
      pool_.run(kSlices, [&](int slice) { update_slice(rule, decay, params[i], state_[i].data(), slice); });
    }
  }

  std::size_t state_bytes() const override {
    std::size_t bytes = 0;
    for (const auto& moments : state_) {
      bytes += moments.size() * sizeof(T);
    }
    return bytes;
  }

 private:
  static void update_slice(const Rule<T>& rule_given, T decay, const BasicParam<T>& param, T* moments, int slice) {
    const Rule<T> rule = rule_given;  // a copy that no store below can change, so that the loop can be vectorised
    const auto size = static_cast<int64_t>(param.value.size());
    const Range range = part(size, slice, kSlices);
    T* __restrict theta = param.value.data();
    const T* __restrict gradient = param.gradient.data();
    T* __restrict a = moments;
    T* __restrict b = Rule<T>::kMoments == 2 ? moments + size : moments;
    for (int64_t i = range.begin; i < range.end; ++i) {
      rule.update(theta[i], gradient[i] + decay * theta[i], a[i], b[i]);
    }
  }

  OptimizerOptions options_;
  ThreadPool& pool_;
  int64_t steps_ = 0;
  std::vector<std::vector<T>> state_;  // per parameter: the first moments, then the second
};

}  // namespace

template <class T>
std::unique_ptr<BasicOptimizer<T>> make_optimizer(const OptimizerOptions& options, ThreadPool& pool) {
  switch (options.kind) {
    case OptimizerKind::sgd:
    case OptimizerKind::nesterov: return std::make_unique<ElementWise<T, Sgd>>(options, pool);
    case OptimizerKind::adagrad: return std::make_unique<ElementWise<T, Adagrad>>(options, pool);
    case OptimizerKind::adadelta: return std::make_unique<ElementWise<T, Adadelta>>(options, pool);
    case OptimizerKind::adam: return std::make_unique<ElementWise<T, Adam>>(options, pool);
  }
  return nullptr;
}

template std::unique_ptr<BasicOptimizer<float>> make_optimizer(const OptimizerOptions&, ThreadPool&);
template std::unique_ptr<BasicOptimizer<double>> make_optimizer(const OptimizerOptions&, ThreadPool&);

}  // namespace hpml::nn::baseline
