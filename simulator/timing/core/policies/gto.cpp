// Greedy, then oldest: published configurations of Kepler.
#include <bit>

#include "simulator/timing/core/policy.hpp"

namespace hpml::sim::timing {

int greedy_then_oldest(const Candidates& c) {
  if (c.last >= 0 && (c.eligible >> c.last & 1) != 0) {
    return c.last;
  }
  int best = std::countr_zero(c.eligible);
  for (uint32_t rest = c.eligible; rest != 0; rest &= rest - 1) {
    const int warp = std::countr_zero(rest);
    best = c.age[warp] < c.age[best] ? warp : best;
  }
  return best;
}

}  // namespace hpml::sim::timing
