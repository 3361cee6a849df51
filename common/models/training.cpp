#include "common/models/training.hpp"

#include <cmath>

namespace hpml::models {

double decayed_rate(double rate_0, double decay, double step) { return rate_0 / (1 + decay * step); }

double initial_cross_entropy(double classes) { return std::log(classes); }

double expected_depth(int64_t layers, double survival_of_last) {
  const auto count = static_cast<double>(layers);
  return count - (1 - survival_of_last) * (count + 1) / 2;
}

double training_bytes(double parameters, double bytes_per_value, Optimiser optimiser) {
  double state = 0;
  switch (optimiser) {
    case Optimiser::sgd: break;
    case Optimiser::momentum: state = 1; break;
    case Optimiser::adam: state = 2; break;
  }
  return parameters * bytes_per_value * (2 + state);
}

double training_days(double flop, double devices, double peak_tflops, double utilisation) {
  constexpr double kSecondsPerDay = 86400;
  return flop / (devices * peak_tflops * 1e12 * utilisation) / kSecondsPerDay;
}

LowRank low_rank(int64_t rows, int64_t columns, int64_t rank) {
  const int64_t parameters = rank * (rows + columns);
  return {.parameters = parameters,
          .share = static_cast<double>(parameters) / (static_cast<double>(rows) * static_cast<double>(columns))};
}

std::vector<int64_t> staleness(int64_t server_version, const std::vector<int64_t>& versions_read) {
  std::vector<int64_t> result;
  for (const int64_t version : versions_read) {
    result.push_back(server_version++ - version);
  }
  return result;
}

}  // namespace hpml::models
