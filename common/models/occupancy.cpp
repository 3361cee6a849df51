#include "common/models/occupancy.hpp"

#include <algorithm>

namespace hpml::models {

namespace {

constexpr uint32_t kWarp = 32;

constexpr uint32_t round_up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

// Each partition gives registers to its own warps, whole units per warp.
uint32_t blocks_by_registers(const SmLimits& limits, const BlockNeeds& needs, uint32_t warps) {
  if (needs.registers_per_thread == 0) {
    return Occupancy::kUnlimited;
  }
  const uint32_t per_warp = round_up(needs.registers_per_thread * kWarp, limits.register_unit_per_warp);
  if (per_warp * round_up(warps, limits.sub_partitions) > limits.registers_per_block) {
    return 0;
  }
  return limits.sub_partitions * (limits.registers / limits.sub_partitions / per_warp) / warps;
}

}  // namespace

uint32_t shared_per_block(const SmLimits& limits, const BlockNeeds& needs) {
  return round_up(needs.shared_bytes + limits.shared_reserved_bytes, limits.shared_unit_bytes);
}

Occupancy occupancy(const SmLimits& limits, const BlockNeeds& needs) {
  Occupancy out;
  out.warps_per_block = std::max(1u, (needs.threads + kWarp - 1) / kWarp);
  out.by_warps = limits.max_warps / out.warps_per_block;
  out.by_blocks = limits.max_blocks;
  out.by_registers = blocks_by_registers(limits, needs, out.warps_per_block);
  const uint32_t shared = shared_per_block(limits, needs);
  out.by_shared = shared == 0 ? Occupancy::kUnlimited : limits.shared_bytes / shared;
  out.blocks_per_sm = std::min({out.by_warps, out.by_blocks, out.by_registers, out.by_shared});
  return out;
}

}  // namespace hpml::models
