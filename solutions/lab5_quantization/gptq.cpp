// P4: quantising a layer so that its output, not its weights, changes little (GPTQ, Frantar et al. 2022).
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "compress.hpp"

namespace lab5 {

// BEGIN STUDENT
namespace {

using Matrix = std::vector<double>;  // d x d, row-major

struct Rounder {
  double scale, most;
  double operator()(double w) const {
    return scale > 0 ? scale * std::clamp(std::nearbyint(w / scale), -most, most) : 0;
  }
};

// Of each row of w.
std::vector<Rounder> rounders(const GptqShape& shape, std::span<const float> w) {
  const double most = (1 << (shape.bits - 1)) - 1;
  std::vector<Rounder> result;
  for (std::size_t row = 0; row < static_cast<std::size_t>(shape.rows); ++row) {
    float largest = 0;
    for (const float value : w.subspan(row * static_cast<std::size_t>(shape.d), static_cast<std::size_t>(shape.d))) {
      largest = std::max(largest, std::fabs(value));
    }
    result.push_back({largest / most, most});
  }
  return result;
}

// 2 X^T X
Matrix hessian(const GptqShape& shape, std::span<const float> x) {
  const auto d = static_cast<std::size_t>(shape.d);
  Matrix h(d * d);
  for (std::size_t s = 0; s < static_cast<std::size_t>(shape.samples); ++s) {
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        h[i * d + j] += 2 * double{x[s * d + i]} * double{x[s * d + j]};
      }
    }
  }
  return h;
}

// L with L L^T = m.
Matrix cholesky(const Matrix& m, std::size_t d) {
  Matrix l(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = m[i * d + j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= l[i * d + k] * l[j * d + k];
      }
      if (i == j && !(sum > 0)) {
        throw std::invalid_argument("H cannot be inverted: use a larger damping");
      }
      l[i * d + j] = i == j ? std::sqrt(sum) : sum / l[j * d + j];
    }
  }
  return l;
}

// m^-1 = L^-T L^-1
Matrix inverse(const Matrix& m, std::size_t d) {
  const Matrix l = cholesky(m, d);
  Matrix li(d * d);
  for (std::size_t column = 0; column < d; ++column) {
    for (std::size_t i = column; i < d; ++i) {
      double sum = i == column ? 1 : 0;
      for (std::size_t k = column; k < i; ++k) {
        sum -= l[i * d + k] * li[k * d + column];
      }
      li[i * d + column] = sum / l[i * d + i];
    }
  }
  Matrix result(d * d);
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t i = 0; i <= k; ++i) {
      for (std::size_t j = 0; j <= k; ++j) {
        result[i * d + j] += li[k * d + i] * li[k * d + j];
      }
    }
  }
  return result;
}

}  // namespace

std::vector<float> round_to_nearest(const GptqShape& shape, std::span<const float> w) {
  const std::vector<Rounder> round = rounders(shape, w);
  std::vector<float> q;
  for (std::size_t i = 0; i < w.size(); ++i) {
    q.push_back(static_cast<float>(round[i / static_cast<std::size_t>(shape.d)](w[i])));
  }
  return q;
}

std::vector<float> gptq(const GptqShape& shape, std::span<const float> w, std::span<const float> x, double damping) {
  const auto d = static_cast<std::size_t>(shape.d);
  Matrix h = hessian(shape, x);
  std::vector<bool> dead(d);
  double mean = 0;
  for (std::size_t i = 0; i < d; ++i) {
    mean += h[i * d + i] / static_cast<double>(d);
    dead[i] = h[i * d + i] == 0;
  }
  for (std::size_t i = 0; i < d; ++i) {
    h[i * d + i] = (dead[i] ? 1 : h[i * d + i]) + damping * mean;
  }
  const Matrix lower = cholesky(inverse(h, d), d);  // U = lower^T
  const std::vector<Rounder> round = rounders(shape, w);
  std::vector<float> q(w.size());
  for (std::size_t row = 0; row < round.size(); ++row) {
    std::vector<double> rest(w.begin() + static_cast<std::ptrdiff_t>(row * d), w.begin() + static_cast<std::ptrdiff_t>((row + 1) * d));
    for (std::size_t i = 0; i < d; ++i) {
      const double rounded = dead[i] ? 0 : round[row](rest[i]);
      const double error = (rest[i] - rounded) / lower[i * d + i];
      q[row * d + i] = static_cast<float>(rounded);
      for (std::size_t j = i + 1; j < d; ++j) {
        rest[j] -= error * lower[j * d + i];
      }
    }
  }
  return q;
}

std::vector<float> smooth_factors(const GptqShape& shape, std::span<const float> w, std::span<const float> x, double alpha) {
  const auto d = static_cast<std::size_t>(shape.d);
  const auto largest = [d](std::span<const float> values, std::size_t column) {
    double most = 0;
    for (std::size_t i = column; i < values.size(); i += d) {
      most = std::max(most, std::fabs(double{values[i]}));
    }
    return most;
  };
  std::vector<float> factors;
  for (std::size_t column = 0; column < d; ++column) {
    const double inputs = largest(x, column), weights = largest(w, column);
    const bool used = inputs > 0 && weights > 0;
    factors.push_back(used ? static_cast<float>(std::pow(inputs, alpha) / std::pow(weights, 1 - alpha)) : 1.0F);
  }
  return factors;
}
// END STUDENT

}  // namespace lab5
// HPML-CANARY-5e0c71f3b8a94d26
