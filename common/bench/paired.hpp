#pragma once
// The ratio of two computations, measured side by side: A B, B A, A B, ... with the processor time of the thread. What
// disturbs the machine disturbs both; and where it disturbs them too much, the verdict says so instead of a number.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/bench/clock.hpp"
#include "common/bench/stats.hpp"

namespace hpml::bench {

struct PairedPlan {
  int warmups = 5;  // of each: pages touched, caches filled, wide units powered up
  int pairs = 31;
  int sessions = 3;             // the first valid one counts
  int64_t sample_ns = 2000000;  // short computations are repeated within a sample until it takes so long
  double spread_limit = 0.10;   // (lower quartile - minimum) / minimum of the reference
  double disagreement = 0.15;   // between the ratio of minima and the median of the pairs' ratios
  double steal_limit = 0.02;    // of all ticks of a session; a single tick is the clock's own step
};

enum class Validity : uint8_t { valid, clock_stepped, held_back, stolen, reference_unsteady, estimators_disagree };
std::string to_string(Validity validity);

struct Paired {
  Validity validity = Validity::valid;
  int session = 1;                                   // the one that counts
  int64_t calls_a = 1, calls_b = 1;                  // per sample
  std::vector<double> cpu_a, cpu_b, wall_a, wall_b;  // ns per call
  double ratio = 0;                                  // min cpu(b) / min cpu(a): above 1 when a is faster
  double ratio_median = 0;                           // of the pairs
  Interval interval;                                 // of ratio_median
};

// a: what is judged; b: what it is compared with. Both are called from this thread.
Paired compare(Clock& clock, const std::function<void()>& a, const std::function<void()>& b, const PairedPlan& plan);

}  // namespace hpml::bench
