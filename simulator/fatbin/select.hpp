#pragma once
// Which entry of a fat binary to use on a device of a given compute capability.
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/fatbin/container.hpp"

namespace hpml::sim::fatbin {

struct PtxChoice {
  const Entry* entry = nullptr;
  bool above_device = false;  // the PTX targets a newer sm than the device has: legal here, an error on hardware
};

// Highest sm <= device_sm; without one, and unless `strict`, the lowest above it. The error for a fat binary without
// usable PTX says how to build one.
Result<PtxChoice> choose_ptx(const std::vector<Entry>& entries, uint32_t device_sm, bool strict,
                             const std::string& name);

// The cubin whose register counts fit the device best: its own sm, else the nearest of the same major, else the
// nearest at all. Null when there is none.
const Entry* choose_cubin(const std::vector<Entry>& entries, uint32_t device_sm);

}  // namespace hpml::sim::fatbin
