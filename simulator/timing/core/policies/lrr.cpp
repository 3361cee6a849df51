// Loose round robin: the next eligible warp after the one that issued last.
#include <bit>

#include "simulator/timing/core/policy.hpp"

namespace hpml::sim::timing {

int loose_round_robin(const Candidates& c) {
  const uint32_t after = c.last >= 31 ? 0 : c.eligible & (~uint32_t{0} << (c.last + 1));
  return std::countr_zero(after != 0 ? after : c.eligible);
}

}  // namespace hpml::sim::timing
