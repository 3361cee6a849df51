// C6: five optimizers, as PyTorch defines them.
#include <cmath>

#include "lab2.hpp"

namespace lab2 {

namespace {

double power(double base, int64_t exponent) {
  double result = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    result *= base;
  }
  return result;
}

// The constants of one step: computed in double, rounded once to T.
template <class T>
struct Constants {
  T lr, momentum, rho, rest, b1, rest1, b2, rest2, rate, root2;
  Constants(const OptimizerOptions& o, int64_t t)
      : lr(static_cast<T>(o.lr)),
        momentum(static_cast<T>(o.momentum)),
        rho(static_cast<T>(o.rho)),
        rest(static_cast<T>(1.0 - o.rho)),
        b1(static_cast<T>(o.beta1)),
        rest1(static_cast<T>(1.0 - o.beta1)),
        b2(static_cast<T>(o.beta2)),
        rest2(static_cast<T>(1.0 - o.beta2)),
        rate(static_cast<T>(o.lr / (1.0 - power(o.beta1, t)))),
        root2(static_cast<T>(std::sqrt(1.0 - power(o.beta2, t)))) {}
};

template <class T>
void sgd(const OptimizerOptions& o, const Constants<T>& k, int64_t t, T& theta, T g, T& buffer) {
  buffer = t == 1 ? g : k.momentum * buffer + g;
  theta -= k.lr * (o.kind == OptimizerKind::nesterov ? g + k.momentum * buffer : buffer);
}

template <class T>
void adagrad(const OptimizerOptions& o, const Constants<T>& k, T& theta, T g, T& sum) {
  sum += g * g;
  theta -= (k.lr * g) / (std::sqrt(sum) + static_cast<T>(o.adagrad_eps));
}

template <class T>
void adadelta(const OptimizerOptions& o, const Constants<T>& k, T& theta, T g, T& squares, T& updates) {
  const T eps = static_cast<T>(o.adadelta_eps);
  squares = k.rho * squares + (k.rest * g) * g;
  const T delta = (std::sqrt(updates + eps) / std::sqrt(squares + eps)) * g;
  updates = k.rho * updates + (k.rest * delta) * delta;
  theta -= k.lr * delta;
}

template <class T>
void adam(const OptimizerOptions& o, const Constants<T>& k, T& theta, T g, T& mean, T& square) {
  mean = k.b1 * mean + k.rest1 * g;
  square = k.b2 * square + (k.rest2 * g) * g;
  theta -= k.rate * (mean / (std::sqrt(square) / k.root2 + static_cast<T>(o.adam_eps)));
}

}  // namespace

int moments(OptimizerKind kind) { return kind == OptimizerKind::adadelta || kind == OptimizerKind::adam ? 2 : 1; }

template <class T>
void optimizer_step(const OptimizerOptions& options, int64_t t, std::span<T> theta, std::span<const T> gradient,
                    std::span<T> a, std::span<T> b) {
  const Constants<T> k(options, t);
  const T decay = static_cast<T>(options.weight_decay);
  for (size_t i = 0; i < theta.size(); ++i) {
    const T g = gradient[i] + decay * theta[i];
    switch (options.kind) {
      case OptimizerKind::sgd:
      case OptimizerKind::nesterov: sgd(options, k, t, theta[i], g, a[i]); break;
      case OptimizerKind::adagrad: adagrad(options, k, theta[i], g, a[i]); break;
      case OptimizerKind::adadelta: adadelta(options, k, theta[i], g, a[i], b[i]); break;
      case OptimizerKind::adam: adam(options, k, theta[i], g, a[i], b[i]); break;
    }
  }
}

template void optimizer_step<float>(const OptimizerOptions&, int64_t, std::span<float>, std::span<const float>,
                                    std::span<float>, std::span<float>);
template void optimizer_step<double>(const OptimizerOptions&, int64_t, std::span<double>, std::span<const double>,
                                     std::span<double>, std::span<double>);

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
