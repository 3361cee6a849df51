#pragma once
// Roofline model (Williams, Waterman, Patterson 2009): what a machine can reach at an arithmetic intensity. Rates are
// in GFLOP/s and GB/s with 1 GB = 10^9 bytes, so that intensities come out in FLOP/byte.
#include <cstdint>

namespace hpml::models {

struct Roof {
  double peak_gflops = 0;
  double bandwidth_gbs = 0;
};

enum class Bound : uint8_t { memory, compute };
enum class Reach : uint8_t { feasible, above_bandwidth, above_peak };

// Units that each finish `flop_per_cycle` every cycle; several cycles per issue are a fraction of a FLOP per cycle.
double peak_gflops(double units, double flop_per_cycle, double clock_ghz);

double arithmetic_intensity(double flop, double bytes);  // FLOP/byte
double ridge(const Roof& roof);                          // FLOP/byte
double attainable_gflops(const Roof& roof, double flop_per_byte);
Bound bound_at(const Roof& roof, double flop_per_byte);

// A measured point above the roof is impossible: because of the peak, or (below the peak) because of the bandwidth.
Reach reach_of(const Roof& roof, double flop_per_byte, double gflops);

}  // namespace hpml::models
