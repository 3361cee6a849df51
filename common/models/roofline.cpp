#include "common/models/roofline.hpp"

#include <algorithm>

namespace hpml::models {

double peak_gflops(double units, double flop_per_cycle, double clock_ghz) { return units * flop_per_cycle * clock_ghz; }

double arithmetic_intensity(double flop, double bytes) { return flop / bytes; }

double ridge(const Roof& roof) { return roof.peak_gflops / roof.bandwidth_gbs; }

double attainable_gflops(const Roof& roof, double flop_per_byte) {
  return std::min(roof.peak_gflops, roof.bandwidth_gbs * flop_per_byte);
}

Bound bound_at(const Roof& roof, double flop_per_byte) {
  return flop_per_byte < ridge(roof) ? Bound::memory : Bound::compute;
}

Reach reach_of(const Roof& roof, double flop_per_byte, double gflops) {
  if (gflops > roof.peak_gflops) {
    return Reach::above_peak;
  }
  return gflops > roof.bandwidth_gbs * flop_per_byte ? Reach::above_bandwidth : Reach::feasible;
}

}  // namespace hpml::models
