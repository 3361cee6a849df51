#include "common/models/means.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hpml::models {

double arithmetic_mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double harmonic_mean(const std::vector<double>& values) {
  double inverse = 0;
  for (const double value : values) {
    inverse += 1 / value;
  }
  return static_cast<double>(values.size()) / inverse;
}

double geometric_mean(const std::vector<double>& values) {
  double logarithm = 0;
  for (const double value : values) {
    logarithm += std::log(value);
  }
  return std::exp(logarithm / static_cast<double>(values.size()));
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double variation(const std::vector<double>& values) {
  const double mean = arithmetic_mean(values);
  double squares = 0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  return std::sqrt(squares / static_cast<double>(values.size())) / mean;
}

double throughput(double operations_per_run, const std::vector<double>& times_s) {
  const double total = std::accumulate(times_s.begin(), times_s.end(), 0.0);
  return operations_per_run * static_cast<double>(times_s.size()) / total;
}

}  // namespace hpml::models
