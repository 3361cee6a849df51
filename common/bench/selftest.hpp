#pragma once
// How far the kit's verdicts can be trusted here and now: equal work must come out equal, work that is a third slower
// must be seen, and everything else must be called inconclusive.
#include "common/bench/paired.hpp"

namespace hpml::bench {

struct SelfTest {
  int trials = 0;
  int equal_valid = 0, equal_right = 0;    // A against A: ratio within kEqualLow..kEqualHigh
  int slower_valid = 0, slower_seen = 0;   // A against one that does 30 % more: ratio below kEqualLow
  double wall_cov = 0, cpu_floor_cov = 0;  // over the trials: of one elapsed time, of the smallest processor time
  double ratio_cov = 0;                    // of the ratio that is judged by
  bool passed() const;                     // 95 % of the valid ones right, 99 % of the slower ones seen, some of each
};

constexpr double kEqualLow = 0.90, kEqualHigh = 1.11;

SelfTest self_test(Clock& clock, int trials, const PairedPlan& plan);

}  // namespace hpml::bench
