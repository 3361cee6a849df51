#include "simulator/exec/detail/lanes.hpp"

#include <algorithm>

namespace hpml::sim::exec {

HPML_VECTOR_CLONES bool consecutive(const uint64_t* base, uint64_t bytes) {
  uint64_t difference = 0;
  for (uint64_t lane = 0; lane < 32; ++lane) {
    difference |= base[lane] ^ (base[0] + lane * bytes);
  }
  return difference == 0;
}

HPML_VECTOR_CLONES AddressRange address_range(const uint64_t* address) {
  AddressRange out{address[0], address[0], 0};
  for (int lane = 0; lane < 32; ++lane) {
    out.low = std::min(out.low, address[lane]);
    out.high = std::max(out.high, address[lane]);
    out.bits |= address[lane];
  }
  return out;
}

}  // namespace hpml::sim::exec
