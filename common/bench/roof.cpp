#include "common/bench/roof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"

namespace hpml::bench {
namespace {

constexpr int64_t kPage = 4096;
constexpr int64_t kPeakRounds = 4096;
constexpr double kTriadFactor = 3.0;

// Arrays whose elements were all written: memory that never was is one page of zeros, and stays in the cache.
struct Arrays {
  explicit Arrays(int64_t bytes_of_each)
      : n(bytes_of_each / 8),
        a(static_cast<size_t>(n), 1.0),
        b(static_cast<size_t>(n), 2.0),
        c(static_cast<size_t>(n), 0.0) {}
  int64_t n;
  std::vector<double> a, b, c;
};

// Each kernel uses as many arrays as it needs of `bytes` together.
std::vector<BenchCase> cases_of(int64_t bytes) {
  const KernelTable& table = *kernels_here().front();
  const auto two = std::make_shared<Arrays>(bytes / 2), three = std::make_shared<Arrays>(bytes / 3);
  const auto floats = [](const std::vector<double>& v) { return reinterpret_cast<const float*>(v.data()); };
  const auto far = bytes > (4 << 20);  // asking ahead pays where the nearer caches do not hold the vectors
  const auto moved = [](const Arrays& arrays, int per_element) { return static_cast<double>(per_element * arrays.n); };
  const auto name = [bytes](const char* kernel) { return fmt::format("{}/{}", kernel, bytes); };
  return {
      {name("read"),
       [=] {
         float r = table.sum(4 * two->n, floats(two->a));
         keep(r);
       },
       moved(*two, 16)},
      {name("dot"),
       [=] {
         float r = (far ? table.dot_far : table.dot)(2 * two->n, floats(two->a), floats(two->b));
         keep(r);
       },
       moved(*two, 16)},
      {name("copy"), [=] { table.copy(two->n, two->b.data(), two->a.data()); }, moved(*two, 16)},
      {name("scale"), [=] { table.scale(two->n, kTriadFactor, two->b.data(), two->a.data()); }, moved(*two, 16)},
      {name("add"), [=] { table.add(three->n, three->c.data(), three->a.data(), three->b.data()); }, moved(*three, 24)},
      {name("triad"), [=] { table.triad(three->n, kTriadFactor, three->c.data(), three->a.data(), three->b.data()); },
       moved(*three, 24)},
  };
}

}  // namespace

double measured_ghz(Clock& clock, int bursts) {
  constexpr int64_t kAdditions = 64 * 20000;
  double best = 0;
  for (int i = 0; i < bursts; ++i) {
    const int64_t begin = clock.cpu_ns();
    uint64_t value = add_chain(kAdditions);
    keep(value);
    const int64_t spent = clock.cpu_ns() - begin;
    best = spent > 0 ? std::max(best, static_cast<double>(kAdditions) / static_cast<double>(spent)) : best;
  }
  return best;
}

std::vector<LevelPeak> measure_peaks(Engine& engine, const SeriesPlan& plan) {
  std::vector<LevelPeak> result;
  std::vector<BenchCase> cases;
  for (const KernelTable* table : kernels_here()) {
    const auto peak = table->peak;
    cases.push_back({fmt::format("peak/{}", table->level),
                     [peak] {
                       float value = peak(kPeakRounds);
                       keep(value);
                     },
                     static_cast<double>(kPeakRounds * table->peak_flop_per_round)});
    result.push_back({table->level, table->lanes, table->fused, {}});
  }
  const std::vector<Measured> measured = run_series(engine, cases, plan);
  for (size_t i = 0; i < result.size(); ++i) {
    result[i].flop = measured[i];
  }
  return result;
}

std::vector<int64_t> ladder_sizes(const LadderPlan& plan) {
  std::vector<int64_t> sizes;
  const double step = std::exp2(1.0 / plan.steps_per_octave);
  for (auto bytes = static_cast<double>(plan.smallest_bytes); bytes <= 1.001 * static_cast<double>(plan.largest_bytes);
       bytes *= step) {
    sizes.push_back(std::llround(bytes / kPage) * kPage);
  }
  return sizes;
}

LadderPlan ladder_for(int64_t last_cache_bytes, int64_t free_bytes) {
  LadderPlan plan;
  const int64_t wanted = std::max<int64_t>(plan.largest_bytes, 8 * last_cache_bytes);
  while (plan.largest_bytes < wanted && 2 * plan.largest_bytes <= free_bytes / 2) {
    plan.largest_bytes *= 2;
  }
  while (plan.largest_bytes > free_bytes / 2 && plan.largest_bytes > plan.smallest_bytes) {
    plan.largest_bytes /= 2;
  }
  return plan;
}

std::vector<LadderStep> measure_ladder(Engine& engine, const SeriesPlan& plan, const LadderPlan& ladder) {
  std::vector<LadderStep> result;
  for (const int64_t bytes : ladder_sizes(ladder)) {
    result.push_back({bytes, run_series(engine, cases_of(bytes), plan)});
  }
  return result;
}

}  // namespace hpml::bench
