#include "common/bench/stats.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "common/base/check.hpp"

namespace hpml::bench {

double quantile(const std::vector<double>& sorted, double q) {
  HPML_CHECK(!sorted.empty(), "a quantile of no values");
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Summary summarize(std::vector<double> values) {
  HPML_CHECK(!values.empty(), "a summary of no values");
  std::sort(values.begin(), values.end());
  Summary result;
  result.count = static_cast<int64_t>(values.size());
  result.min = values.front();
  result.lower_quartile = quantile(values, 0.25);
  result.median = quantile(values, 0.5);
  result.upper_quartile = quantile(values, 0.75);
  result.max = values.back();
  result.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) {
    squares += (value - result.mean) * (value - result.mean);
  }
  if (values.size() > 1 && result.mean > 0) {
    result.cov = std::sqrt(squares / static_cast<double>(values.size() - 1)) / result.mean;
  }
  return result;
}

Interval median_interval(const std::vector<double>& values, int resamples) {
  HPML_CHECK(!values.empty() && resamples > 0, "an interval of no values");
  std::mt19937_64 random(20240229);  // fixed: the same values give the same interval
  std::vector<double> medians, drawn(values.size());
  medians.reserve(static_cast<size_t>(resamples));
  for (int round = 0; round < resamples; ++round) {
    for (double& value : drawn) {
      value = values[random() % values.size()];  // the modulo's bias is below 2^-50 for any count that fits memory
    }
    std::sort(drawn.begin(), drawn.end());
    medians.push_back(quantile(drawn, 0.5));
  }
  std::sort(medians.begin(), medians.end());
  return {quantile(medians, 0.025), quantile(medians, 0.975)};
}

double floor_spread(const Summary& summary) {
  return summary.min > 0 ? (summary.lower_quartile - summary.min) / summary.min : 0;
}

}  // namespace hpml::bench
