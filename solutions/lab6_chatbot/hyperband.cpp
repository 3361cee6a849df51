// S3: which runs hyperband stops.
// HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <cmath>
#include <limits>

#include "sweep.hpp"

namespace lab6::sweep {

namespace {

constexpr int kBands = 100;         // of the min_iter form
constexpr double kFarthest = 1e15;  // no history is longer

}  // namespace

std::vector<int64_t> bands(const EarlyTerminate& rule) {
  std::vector<int64_t> result;
  if (rule.min_iter) {
    double band = static_cast<double>(*rule.min_iter);
    for (int j = 0; j < kBands && band < kFarthest; ++j, band *= rule.eta) {
      result.push_back(static_cast<int64_t>(band));
    }
  } else {
    double band = static_cast<double>(*rule.max_iter);
    for (int64_t k = 0; k < *rule.s; ++k) {
      band /= rule.eta;
      if (band < 1) {
        break;
      }
      result.push_back(static_cast<int64_t>(band));
    }
    std::reverse(result.begin(), result.end());
  }
  return result;
}

double threshold_at(const EarlyTerminate& rule, Goal goal, std::span<const History> runs, int64_t band) {
  const double sign = goal == Goal::maximize ? -1 : 1;
  std::vector<double> values;
  for (const History& run : runs) {
    if (static_cast<int64_t>(run.values.size()) > band && !std::isnan(run.values[static_cast<size_t>(band)])) {
      values.push_back(sign * run.values[static_cast<size_t>(band)]);
    }
  }
  if (values.empty()) {
    return std::numeric_limits<double>::infinity();
  }
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(static_cast<double>(values.size()) / rule.eta)];
}

std::vector<bool> stop_runs(const EarlyTerminate& rule, Goal goal, std::span<const History> runs) {
  const double sign = goal == Goal::maximize ? -1 : 1;
  const auto value = [&](double one) { return std::isnan(one) ? std::numeric_limits<double>::infinity() : sign * one; };
  const std::vector<int64_t> all = bands(rule);
  std::vector<bool> stop(runs.size(), false);
  for (size_t i = 0; i < runs.size(); ++i) {
    const std::vector<double>& history = runs[i].values;
    const auto length = static_cast<int64_t>(history.size());
    const auto beyond = std::lower_bound(all.begin(), all.end(), length);  // the first band that it has not passed
    if (!runs[i].running || beyond == all.begin()) {
      continue;
    }
    const int64_t band = *(beyond - 1);
    double own = value(history[static_cast<size_t>(band)]);
    if (!rule.strict) {
      for (const double one : history) {
        own = std::min(own, value(one));
      }
    }
    stop[i] = own > threshold_at(rule, goal, runs, band);
  }
  return stop;
}

}  // namespace lab6::sweep
