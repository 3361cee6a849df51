#pragma once
// Address translation of what leaves L1, which is looked up by virtual address: a TLB of each SM, one that all SMs
// share, and the walk through the page tables. Tags and delays; nothing limits how many misses are under way. Nobody
// tells it of freed memory: what it once held stays until it is the least recently used.
#include <cstddef>
#include <vector>

#include "simulator/timing/cache/sector_cache.hpp"
#include "simulator/timing/clock/cycle.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

class Translation {
 public:
  explicit Translation(const GpuSpec& spec);

  // Cycles that an access of `sm` to `line` (address / 128) takes longer than one whose page the SM's own TLB has, when
  // it is looked up at `now`. A missing page is on its way from then on: who comes for it waits for the rest of that.
  uint64_t delay(size_t sm, uint64_t line, Cycle now);

 private:
  uint64_t l2_hit_delay_, walk_delay_;
  uint64_t l1_page_lines_, l2_page_lines_;  // in lines of 128 bytes
  std::vector<SectorCache> own_;            // by SM; none: translation takes no time
  SectorCache shared_;
};

}  // namespace hpml::sim::timing
