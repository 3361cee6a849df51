#pragma once
// How many blocks of a kernel an SM of the GPU file holds (common/models/occupancy.hpp has the rule; simulator_timing
// section 8), and which shared-memory carve-out the driver gives the kernel.
#include <cstdint>

#include "common/models/occupancy.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

using models::BlockNeeds;
using models::Occupancy;

Occupancy occupancy(const GpuSpec& spec, const BlockNeeds& needs);

// The smallest carve-out that does not lower the occupancy, in bytes.
uint32_t carveout_bytes(const GpuSpec& spec, const BlockNeeds& needs);
// What is left for L1.
uint64_t l1_bytes(const GpuSpec& spec, uint32_t carveout);

}  // namespace hpml::sim::timing
