#include "common/bench/paired.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/check.hpp"

namespace hpml::bench {
namespace {

using Work = std::function<void()>;

struct Sample {
  double cpu = 0, wall = 0;  // ns per call
};

Sample sample(Clock& clock, const Work& work, int64_t calls) {
  const int64_t wall = clock.wall_ns(), cpu = clock.cpu_ns();
  for (int64_t i = 0; i < calls; ++i) {
    work();
  }
  const int64_t cpu_spent = clock.cpu_ns() - cpu, wall_spent = clock.wall_ns() - wall;
  return {static_cast<double>(cpu_spent) / static_cast<double>(calls),
          static_cast<double>(wall_spent) / static_cast<double>(calls)};
}

// Fixed before the first sample that counts, from the fastest of the warm-up calls.
int64_t calls_per_sample(Clock& clock, const Work& work, const PairedPlan& plan) {
  double fastest = sample(clock, work, 1).cpu;
  for (int i = 1; i < plan.warmups; ++i) {
    fastest = std::min(fastest, sample(clock, work, 1).cpu);
  }
  if (fastest <= 0) {
    return 1;
  }
  return std::max<int64_t>(1, std::llround(static_cast<double>(plan.sample_ns) / fastest));
}

Validity judge(const Paired& result, const Withheld& before, const Withheld& after, const PairedPlan& plan) {
  const auto bad = [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double value) { return value <= 0; });
  };
  if (bad(result.cpu_a) || bad(result.cpu_b) || bad(result.wall_a) || bad(result.wall_b)) {
    return Validity::clock_stepped;
  }
  if (after.periods != before.periods) {
    return Validity::held_back;
  }
  const int64_t stolen = after.stolen - before.stolen;
  if (stolen > 1 && static_cast<double>(stolen) > plan.steal_limit * static_cast<double>(after.ticks - before.ticks)) {
    return Validity::stolen;
  }
  if (floor_spread(summarize(result.cpu_b)) > plan.spread_limit) {
    return Validity::reference_unsteady;
  }
  if (std::abs(result.ratio / result.ratio_median - 1) > plan.disagreement) {
    return Validity::estimators_disagree;
  }
  return Validity::valid;
}

Paired run_session(Clock& clock, const Work& a, const Work& b, const PairedPlan& plan) {
  Paired result;
  const Withheld before = clock.withheld();
  result.calls_a = calls_per_sample(clock, a, plan);
  result.calls_b = calls_per_sample(clock, b, plan);
  std::vector<double> ratios;
  for (int pair = 0; pair < plan.pairs; ++pair) {
    Sample of_a, of_b;
    if (pair % 2 == 0) {  // alternating, so that what one leaves behind meets both
      of_a = sample(clock, a, result.calls_a);
      of_b = sample(clock, b, result.calls_b);
    } else {
      of_b = sample(clock, b, result.calls_b);
      of_a = sample(clock, a, result.calls_a);
    }
    result.cpu_a.push_back(of_a.cpu);
    result.cpu_b.push_back(of_b.cpu);
    result.wall_a.push_back(of_a.wall);
    result.wall_b.push_back(of_b.wall);
    ratios.push_back(of_a.cpu > 0 ? of_b.cpu / of_a.cpu : 0);
  }
  const double fastest_a = *std::min_element(result.cpu_a.begin(), result.cpu_a.end());
  const double fastest_b = *std::min_element(result.cpu_b.begin(), result.cpu_b.end());
  result.ratio = fastest_a > 0 ? fastest_b / fastest_a : 0;
  result.ratio_median = summarize(ratios).median;
  result.interval = median_interval(ratios);
  result.validity = judge(result, before, clock.withheld(), plan);
  return result;
}

}  // namespace

std::string to_string(Validity validity) {
  switch (validity) {
    case Validity::valid: return "valid";
    case Validity::clock_stepped: return "a sample took no time, or less: the clock was stepped";
    case Validity::held_back: return "a quota of a control group held the processor back";
    case Validity::stolen: return "the hypervisor gave the processor to others";
    case Validity::reference_unsteady: return "the reference's own times are unsteady";
    case Validity::estimators_disagree: return "the ratio of the fastest samples and the median of the ratios disagree";
  }
  return "";
}

Paired compare(Clock& clock, const Work& a, const Work& b, const PairedPlan& plan) {
  HPML_CHECK(plan.pairs > 0 && plan.sessions > 0, fmt::format("{} pairs, {} sessions", plan.pairs, plan.sessions));
  Paired result;
  for (int session = 1; session <= plan.sessions; ++session) {
    result = run_session(clock, a, b, plan);
    result.session = session;
    if (result.validity == Validity::valid) {
      break;
    }
  }
  return result;
}

}  // namespace hpml::bench
