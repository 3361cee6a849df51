#include "common/bench/selftest.hpp"

#include <algorithm>

#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"

namespace hpml::bench {
namespace {

// About 0.1 ms of multiply-adds, times `tenths` / 10.
std::function<void()> work(int64_t tenths) {
  return [rounds = 1000 * tenths, peak = kernels_here().front()->peak] {
    float value = peak(rounds);
    keep(value);
  };
}

}  // namespace

bool SelfTest::passed() const {
  const bool conclusive = equal_valid > 0 && slower_valid > 0;
  return conclusive && 100 * equal_right >= 95 * equal_valid && 100 * slower_seen >= 99 * slower_valid;
}

SelfTest self_test(Clock& clock, int trials, const PairedPlan& plan) {
  SelfTest result;
  result.trials = trials;
  std::vector<double> walls, floors, ratios;
  for (int trial = 0; trial < trials; ++trial) {
    const Paired equal = compare(clock, work(10), work(10), plan);
    const Paired slower = compare(clock, work(13), work(10), plan);
    walls.push_back(equal.wall_a.front());
    floors.push_back(*std::min_element(equal.cpu_a.begin(), equal.cpu_a.end()));
    ratios.push_back(equal.ratio);
    if (equal.validity == Validity::valid) {
      ++result.equal_valid;
      result.equal_right += static_cast<int>(equal.ratio >= kEqualLow && equal.ratio <= kEqualHigh);
    }
    if (slower.validity == Validity::valid) {
      ++result.slower_valid;
      result.slower_seen += static_cast<int>(slower.ratio < kEqualLow);
    }
  }
  result.wall_cov = summarize(walls).cov;
  result.cpu_floor_cov = summarize(floors).cov;
  result.ratio_cov = summarize(ratios).cov;
  return result;
}

}  // namespace hpml::bench
