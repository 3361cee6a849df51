#pragma once
// The machine's own roof, measured: clock, peak, and bandwidth over the sizes of the memory hierarchy. One thread.
#include <cstdint>
#include <string>
#include <vector>

#include "common/bench/clock.hpp"
#include "common/bench/series.hpp"

namespace hpml::bench {

// GHz of the processor as it runs now, from dependent additions of one cycle each; the fastest of some bursts. As many
// as outlast a turn of another process on the other thread of the core, which halves the rate of this one.
double measured_ghz(Clock& clock, int bursts = 500);

struct LevelPeak {
  std::string level;
  int lanes = 0;
  bool fused = false;
  Measured flop;  // operations per call
};
std::vector<LevelPeak> measure_peaks(Engine& engine, const SeriesPlan& plan);

struct LadderStep {
  int64_t bytes = 0;  // of all arrays together
  std::vector<Measured> kernels;
};
struct LadderPlan {
  int64_t smallest_bytes = 16 << 10;
  int64_t largest_bytes = 256 << 20;
  int steps_per_octave = 1;
};
// read (sum), dot, copy, scale, add, triad for each size, in bytes that the algorithm moves; write-allocate traffic is
// not counted, the STREAM convention.
std::vector<LadderStep> measure_ladder(Engine& engine, const SeriesPlan& plan, const LadderPlan& ladder);

// Sizes from smallest to largest, each 2^(1/steps) times the one before, rounded to whole pages.
std::vector<int64_t> ladder_sizes(const LadderPlan& plan);

// The largest ladder that leaves half of the free memory alone and goes well beyond the last cache.
LadderPlan ladder_for(int64_t last_cache_bytes, int64_t free_bytes);

}  // namespace hpml::bench
