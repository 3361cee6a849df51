#include "common/bench/report.hpp"

#include <nlohmann/json.hpp>

namespace hpml::bench {
namespace {

nlohmann::json summary_json(const std::vector<double>& values) {
  const Summary summary = summarize(values);
  const Interval interval = median_interval(values);
  return {{"count", summary.count},
          {"min", summary.min},
          {"lower_quartile", summary.lower_quartile},
          {"median", summary.median},
          {"median_95", {interval.low, interval.high}},
          {"mean", summary.mean},
          {"cov", summary.cov}};
}

std::vector<double> in_ns(std::vector<double> seconds) {
  for (double& value : seconds) {
    value *= 1e9;
  }
  return seconds;
}

}  // namespace

nlohmann::json to_json(const Measured& measured, const std::string& unit) {
  return {{"name", measured.name},
          {"unit", unit},
          {"work", measured.work_units},
          {"threads", 1},
          {"samples_cpu_ns", in_ns(measured.cpu_s)},
          {"samples_wall_ns", in_ns(measured.wall_s)},
          {"cpu_ns", summary_json(in_ns(measured.cpu_s))},
          {"best_rate_per_s", measured.best_rate()},
          {"verdict", measured.tight ? "tight" : "inconclusive: the median is not known well enough"}};
}

nlohmann::json to_json(const Paired& paired) {
  return {{"samples_cpu_ns", paired.cpu_a},
          {"peer_samples_cpu_ns", paired.cpu_b},
          {"samples_wall_ns", paired.wall_a},
          {"peer_samples_wall_ns", paired.wall_b},
          {"calls_per_sample", {paired.calls_a, paired.calls_b}},
          {"ratio", paired.ratio},
          {"ratio_paired_median", paired.ratio_median},
          {"ratio_95", {paired.interval.low, paired.interval.high}},
          {"session", paired.session},
          {"valid", paired.validity == Validity::valid},
          {"verdict", to_string(paired.validity)}};
}

}  // namespace hpml::bench
