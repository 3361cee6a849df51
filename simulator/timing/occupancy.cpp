#include "simulator/timing/occupancy.hpp"

#include <algorithm>

namespace hpml::sim::timing {

namespace {

models::SmLimits limits_of(const GpuSpec& spec) {
  return {.max_warps = spec.limits.max_warps_per_sm,
          .max_blocks = spec.limits.max_blocks_per_sm,
          .registers = spec.limits.registers_per_sm,
          .registers_per_block = spec.limits.registers_per_block,
          .register_unit_per_warp = spec.limits.register_unit_per_warp,
          .sub_partitions = spec.topology.sub_partitions,
          .shared_bytes = spec.limits.shared_per_sm_bytes,
          .shared_unit_bytes = spec.limits.shared_unit_bytes,
          .shared_reserved_bytes = spec.limits.shared_reserved_bytes};
}

}  // namespace

Occupancy occupancy(const GpuSpec& spec, const BlockNeeds& needs) { return models::occupancy(limits_of(spec), needs); }

uint32_t carveout_bytes(const GpuSpec& spec, const BlockNeeds& needs) {
  const uint64_t wanted =
      uint64_t{occupancy(spec, needs).blocks_per_sm} * models::shared_per_block(limits_of(spec), needs);
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
