#include "simulator/timing/occupancy.hpp"

#include <algorithm>

namespace hpml::sim::timing {

namespace {

constexpr uint32_t round_up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

uint32_t blocks_by_registers(const GpuSpec& spec, const BlockNeeds& needs, uint32_t warps) {
  if (needs.registers_per_thread == 0) {
    return Occupancy::kUnlimited;
  }
  const uint32_t per_warp = round_up(needs.registers_per_thread * 32, spec.limits.register_unit_per_warp);
  const uint32_t subs = spec.topology.sub_partitions;
  if (per_warp * round_up(warps, subs) > spec.limits.registers_per_block) {
    return 0;
  }
  const uint32_t warps_per_sm = subs * (spec.limits.registers_per_sm / subs / per_warp);
  return warps_per_sm / warps;
}

uint32_t shared_per_block(const GpuSpec& spec, const BlockNeeds& needs) {
  return round_up(needs.shared_bytes + spec.limits.shared_reserved_bytes, spec.limits.shared_unit_bytes);
}

}  // namespace

Occupancy occupancy(const GpuSpec& spec, const BlockNeeds& needs) {
  Occupancy out;
  out.warps_per_block = std::max(1u, (needs.threads + 31) / 32);
  out.by_warps = spec.limits.max_warps_per_sm / out.warps_per_block;
  out.by_blocks = spec.limits.max_blocks_per_sm;
  out.by_registers = blocks_by_registers(spec, needs, out.warps_per_block);
  const uint32_t shared = shared_per_block(spec, needs);
  out.by_shared = shared == 0 ? Occupancy::kUnlimited : spec.limits.shared_per_sm_bytes / shared;
  out.blocks_per_sm = std::min({out.by_warps, out.by_blocks, out.by_registers, out.by_shared});
  return out;
}

uint32_t carveout_bytes(const GpuSpec& spec, const BlockNeeds& needs) {
  const uint64_t wanted = uint64_t{occupancy(spec, needs).blocks_per_sm} * shared_per_block(spec, needs);
  for (const uint32_t kib : spec.l1.carveouts_kib) {
    if (uint64_t{kib} * 1024 >= wanted) {
      return kib * 1024;
    }
  }
  return spec.l1.carveouts_kib.back() * 1024;
}

uint64_t l1_bytes(const GpuSpec& spec, uint32_t carveout) {
  const uint64_t left = uint64_t{spec.l1.unified_kib} * 1024 - carveout;
  return std::min<uint64_t>(left, uint64_t{spec.l1.max_l1_kib} * 1024);
}

}  // namespace hpml::sim::timing
