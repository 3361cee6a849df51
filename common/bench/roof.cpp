#include "common/bench/roof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "common/base/check.hpp"
#include "common/bench/guarded.hpp"
#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"

namespace hpml::bench {
namespace {

constexpr int64_t kPage = 4096;
constexpr int64_t kPeakRounds = 4096;
constexpr double kTriadFactor = 3.0;

// `bytes` of doubles, one array or several of the same length, all written: memory that never was is one page of
// zeros, and stays in the cache. A kernel that reads past the end meets a page nobody may touch.
class Arrays {
 public:
  explicit Arrays(int64_t bytes) : memory_(guarded(bytes)), n_(bytes / 8) {
    std::fill_n(memory_.data(), memory_.size(), 1.0F);
  }
  // Elements of each of `count` arrays: whole vectors of 64 bytes, which is what lines of caches are.
  int64_t elements(int count) const { return n_ / count / 8 * 8; }
  double* array(int index, int count) const {
    return reinterpret_cast<double*>(memory_.data()) + index * elements(count);
  }
  const float* floats(int index, int count) const { return reinterpret_cast<const float*>(array(index, count)); }

 private:
  static GuardedVector guarded(int64_t bytes) {
    Result<GuardedVector> memory = GuardedVector::make(bytes / 4);
    HPML_CHECK(memory.ok(),
               memory.error().message);  // ladder_for leaves half of the free memory alone
    return std::move(*memory);
  }
  GuardedVector memory_;
  int64_t n_;
};

// Each kernel uses as many arrays as it needs of `bytes` together.
std::vector<BenchCase> cases_of(int64_t bytes) {
  const KernelTable& table = *kernels_here().front();
  const auto m = std::make_shared<Arrays>(bytes);
  const auto far = bytes > kFarBytes;
  const auto moved = [m](int arrays) { return static_cast<double>(8 * arrays * m->elements(arrays)); };
  const auto name = [bytes](const char* kernel) { return fmt::format("{}/{}", kernel, bytes); };
  const int64_t one = m->elements(1), two = m->elements(2), three = m->elements(3);
  return {
      {name("read"),
       [=] {
         float r = (far ? table.sum_far : table.sum)(2 * one, m->floats(0, 1));
         keep(r);
       },
       moved(1)},
      {name("dot"),
       [=] {
         float r = (far ? table.dot_far : table.dot)(2 * two, m->floats(0, 2), m->floats(1, 2));
         keep(r);
       },
       moved(2)},
      {name("copy"), [=] { table.copy(two, m->array(1, 2), m->array(0, 2)); }, moved(2)},
      {name("scale"), [=] { table.scale(two, kTriadFactor, m->array(1, 2), m->array(0, 2)); }, moved(2)},
      {name("add"), [=] { table.add(three, m->array(2, 3), m->array(0, 3), m->array(1, 3)); }, moved(3)},
      {name("triad"), [=] { table.triad(three, kTriadFactor, m->array(2, 3), m->array(0, 3), m->array(1, 3)); },
       moved(3)},
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
