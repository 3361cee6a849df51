// Bonus: a Bayesian sweep: Gaussian process with expected improvement (Rasmussen, Williams, Gaussian Processes for
// Machine Learning, algorithm 2.1; Jones, Schonlau, Welch 1998). HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sweep.hpp"

namespace lab6::sweep {

namespace {

using Point = std::vector<double>;
constexpr int kCandidates = 1000, kFirst = 5;  // runs that are random
constexpr double kNoise = 1e-6;
constexpr double kLengths[] = {0.1, 0.2, 0.4, 0.8};

// Matern 3/2.
double kernel(const Point& a, const Point& b, double length) {
  double squares = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    squares += (a[i] - b[i]) * (a[i] - b[i]);
  }
  const double r = std::sqrt(3 * squares) / length;
  return (1 + r) * std::exp(-r);
}

// Where a value lies on its parameter's coordinate: the middle of the u that give it, to 1/4096.
double coordinate(const Parameter& parameter, const Value& value) {
  constexpr int kSteps = 4096;
  const auto number = [](const Value& one) {
    const auto* integer = std::get_if<int64_t>(&one);
    return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(one);
  };
  const bool ordered = parameter.distribution != Distribution::constant &&
                       parameter.distribution != Distribution::categorical &&
                       parameter.distribution != Distribution::categorical_w_probabilities;
  int first = -1, last = -1;
  for (int i = 0; i < kSteps; ++i) {
    const Value at = value_at(parameter, (i + 0.5) / kSteps);
    if (ordered ? number(at) <= number(value) : at == value) {
      first = first < 0 || (ordered && number(at) < number(value)) ? i : first;
      last = i;
    }
  }
  return last < 0 ? 0 : (first + last + 1) / 2.0 / kSteps;
}

class Process {
 public:
  Process(std::vector<Point> points, const std::vector<double>& values) : points_(std::move(points)) {
    const auto n = static_cast<double>(values.size());
    for (const double value : values) {
      mean_ += value / n;
    }
    for (const double value : values) {
      scale_ += (value - mean_) * (value - mean_) / n;
    }
    scale_ = scale_ > 0 ? std::sqrt(scale_) : 1;
    for (const double value : values) {
      y_.push_back((value - mean_) / scale_);
    }
    double best = -std::numeric_limits<double>::infinity();
    for (const double length : kLengths) {
      length_ = length;
      if (const double likelihood = factor(); likelihood > best) {
        best = likelihood, chosen_ = length;
      }
    }
    length_ = chosen_;
    (void)factor();
  }

  // For a minimum: how far below the best value the point is expected to be.
  double improvement(const Point& at) const {
    std::vector<double> k;
    for (const Point& point : points_) {
      k.push_back(kernel(point, at, length_));
    }
    double mean = 0, variance = 1 + kNoise;
    for (size_t i = 0; i < k.size(); ++i) {
      mean += k[i] * alpha_[i];
    }
    const std::vector<double> v = forward(k);
    for (const double one : v) {
      variance -= one * one;
    }
    const double deviation = std::sqrt(std::max(variance, 1e-12));
    const double gain = *std::min_element(y_.begin(), y_.end()) - mean, z = gain / deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return gain * 0.5 * std::erfc(-z / std::numbers::sqrt2) + deviation * density;
  }

 private:
  // Cholesky factor of the kernel matrix; returns the log likelihood without its constant.
  double factor() {
    const size_t n = y_.size();
    lower_.assign(n, std::vector<double>(n, 0.0));
    double log_determinant = 0;
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j <= i; ++j) {
        double sum = kernel(points_[i], points_[j], length_) + (i == j ? kNoise : 0);
        for (size_t p = 0; p < j; ++p) {
          sum -= lower_[i][p] * lower_[j][p];
        }
        lower_[i][j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / lower_[j][j];
      }
      log_determinant += std::log(lower_[i][i]);
    }
    alpha_ = forward(y_);
    double fit = 0;
    for (const double one : alpha_) {
      fit += one * one;
    }
    for (size_t i = n; i-- > 0;) {  // backward substitution
      for (size_t p = i + 1; p < n; ++p) {
        alpha_[i] -= lower_[p][i] * alpha_[p];
      }
      alpha_[i] /= lower_[i][i];
    }
    return -0.5 * fit - log_determinant;
  }

  std::vector<double> forward(std::vector<double> b) const {
    for (size_t i = 0; i < b.size(); ++i) {
      for (size_t p = 0; p < i; ++p) {
        b[i] -= lower_[i][p] * b[p];
      }
      b[i] /= lower_[i][i];
    }
    return b;
  }

  std::vector<Point> points_;
  std::vector<double> y_, alpha_;
  std::vector<std::vector<double>> lower_;
  double mean_ = 0, scale_ = 0, length_ = 0.3, chosen_ = 0.3;
};

Config config_of(const Sweep& sweep, const Point& point) {
  Config config;
  for (size_t i = 0; i < point.size(); ++i) {
    config[sweep.parameters[i].name] = value_at(sweep.parameters[i], point[i]);
  }
  return config;
}

}  // namespace

Config bayes_config(const Sweep& sweep, uint64_t seed, int64_t run, std::span<const RunRecord> earlier) {
  const double sign = sweep.metric->goal == Goal::maximize ? -1 : 1;
  double worst = -std::numeric_limits<double>::infinity();
  std::vector<std::optional<double>> scores;
  for (const RunRecord& record : earlier) {
    const auto score = score_of(*sweep.metric, record);
    scores.push_back(score ? std::optional(sign * *score) : std::nullopt);
    worst = score ? std::max(worst, sign * *score) : worst;
  }
  if (run < kFirst || std::isinf(worst)) {
    return random_config(sweep, seed, run);
  }
  std::vector<Point> points;
  std::vector<double> values;
  for (size_t i = 0; i < earlier.size(); ++i) {
    Point point;
    for (const Parameter& parameter : sweep.parameters) {
      point.push_back(coordinate(parameter, earlier[i].config.at(parameter.name)));
    }
    points.push_back(point);
    values.push_back(scores[i].value_or(worst));  // a run that failed counts as the worst one
  }
  const Process process(points, values);
  const auto stream = static_cast<uint64_t>(run);
  Point best;
  double most = -1;
  for (uint64_t candidate = 0; candidate < kCandidates; ++candidate) {
    Point point;
    for (uint64_t i = 0; i < sweep.parameters.size(); ++i) {
      point.push_back(uniform_of(seed ^ 0xBA7E5, stream, candidate * sweep.parameters.size() + i));
    }
    if (const double improvement = process.improvement(point); improvement > most) {
      most = improvement, best = point;
    }
  }
  return config_of(sweep, best);
}

}  // namespace lab6::sweep
