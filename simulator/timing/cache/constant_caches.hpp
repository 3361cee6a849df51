#pragma once
// The two constant caches in front of L2 that an SM has (Jia et al. 2018, arXiv:1804.06826, Table 3.1): tags and
// delays.
#include "simulator/exec/effects.hpp"
#include "simulator/timing/cache/sector_cache.hpp"
#include "simulator/timing/clock/cycle.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

class ConstantCaches {
 public:
  explicit ConstantCaches(const GpuSpec& spec);

  // A kernel begins: the host may have written constants.
  void clear();
  // Core cycles by which the last lane of a constant access gets its value later than from the first level, when it is
  // looked up at `now`. Lines that are missing are on their way from then on.
  uint64_t delay(const exec::Access& access, Cycle now);

 private:
  uint64_t look_up(uint64_t line, Cycle now);

  uint64_t second_delay_, l2_delay_;
  uint32_t second_line_bytes_;
  SectorCache first_, second_;
};

}  // namespace hpml::sim::timing
