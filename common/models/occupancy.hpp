#pragma once
// How many blocks of a kernel an SM holds (NVIDIA's occupancy rule).
#include <cstdint>

namespace hpml::models {

struct SmLimits {
  uint32_t max_warps = 0, max_blocks = 0;
  uint32_t registers = 0, registers_per_block = 0, register_unit_per_warp = 0, sub_partitions = 1;
  uint32_t shared_bytes = 0, shared_unit_bytes = 1, shared_reserved_bytes = 0;  // reserved: per block, by the system
};

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

Occupancy occupancy(const SmLimits& limits, const BlockNeeds& needs);

// Shared memory a block takes: in units, with what the system keeps for itself.
uint32_t shared_per_block(const SmLimits& limits, const BlockNeeds& needs);

}  // namespace hpml::models
