#pragma once
// How many blocks of a kernel an SM holds (NVIDIA's occupancy rule; simulator_timing section 8), and which
// shared-memory carve-out the driver gives the kernel.
#include <cstdint>

#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

struct BlockNeeds {
  uint32_t threads = 0;
  uint32_t registers_per_thread = 0;
  uint32_t shared_bytes = 0;  // static + dynamic
};

struct Occupancy {
  // Blocks each resource allows on its own; blocks_per_sm is their minimum. kUnlimited: the kernel uses none of it.
  uint32_t by_warps = 0, by_blocks = 0, by_registers = 0, by_shared = 0;
  uint32_t blocks_per_sm = 0;
  uint32_t warps_per_block = 0;
  static constexpr uint32_t kUnlimited = ~uint32_t{0};
};

Occupancy occupancy(const GpuSpec& spec, const BlockNeeds& needs);

// The smallest carve-out that does not lower the occupancy, in bytes.
uint32_t carveout_bytes(const GpuSpec& spec, const BlockNeeds& needs);
// What is left for L1.
uint64_t l1_bytes(const GpuSpec& spec, uint32_t carveout);

}  // namespace hpml::sim::timing
