#include "common/bench/series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/check.hpp"

namespace hpml::bench {
namespace {

bool is_tight(const Measured& measured, const SeriesPlan& plan) {
  if (static_cast<int>(measured.cpu_s.size()) < plan.min_samples) {
    return false;
  }
  constexpr int kResamples = 1000;  // asked after every round: a tenth of what a report uses
  const double median = summarize(measured.cpu_s).median;
  return median_interval(measured.cpu_s, kResamples).half_width(median) <= plan.target;
}

}  // namespace

double Measured::best_rate() const { return work_units / *std::min_element(cpu_s.begin(), cpu_s.end()); }

std::vector<Measured> run_series(Engine& engine, const std::vector<BenchCase>& cases, const SeriesPlan& plan) {
  std::vector<Measured> results(cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    results[i].name = cases[i].name;
    results[i].work_units = cases[i].work_units;
  }
  engine.round(cases);
  for (int round = 0; round < plan.max_rounds; ++round) {
    std::vector<BenchCase> open;
    std::vector<size_t> place;
    for (size_t i = 0; i < cases.size(); ++i) {
      if (!results[i].tight) {
        open.push_back(cases[i]);
        place.push_back(i);
      }
    }
    if (open.empty()) {
      break;
    }
    const auto samples = engine.round(open);
    HPML_CHECK(samples.size() == open.size(), fmt::format("{} cases, {} answers", open.size(), samples.size()));
    for (size_t k = 0; k < open.size(); ++k) {
      Measured& measured = results[place[k]];
      for (const SamplePair& sample : samples[k]) {
        measured.cpu_s.push_back(sample.cpu_s);
        measured.wall_s.push_back(sample.wall_s);
      }
      measured.tight = is_tight(measured, plan);
    }
  }
  return results;
}

}  // namespace hpml::bench
