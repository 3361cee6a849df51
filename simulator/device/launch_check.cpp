#include "simulator/device/launch_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/check.hpp"
#include "common/base/demangle.hpp"
#include "simulator/device/cluster_check.hpp"

namespace hpml::sim::device {
namespace {

constexpr uint32_t kMaxGridX = 0x7fff'ffff, kMaxGridYZ = 65535;  // CUDA programming guide, technical specifications
constexpr uint32_t kMaxBlockZ = 64;

bool zero(const Dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }

bool geometry_is_legal(const timing::GpuSpec& spec, const Dim3& grid, const Dim3& block) {
  const uint32_t most = spec.limits.max_threads_per_block;
  return !zero(grid) && !zero(block) && grid.x <= kMaxGridX && grid.y <= kMaxGridYZ && grid.z <= kMaxGridYZ &&
         block.x <= most && block.y <= most && block.z <= kMaxBlockZ && block.count() <= most;
}

// .reqntid fixes the shape of the block, .maxntid bounds its size (PTX ISA, performance-tuning directives).
bool violates_reqntid(const ir::KernelHeader& header, const Dim3& block) {
  const auto& required = header.reqntid;
  return required[0] != 0 &&
         (block.x != required[0] || block.y != std::max(required[1], 1u) || block.z != std::max(required[2], 1u));
}

}  // namespace

namespace {

// Registers that a thread can have where one block of this size is to start.
uint32_t most_registers(const timing::GpuSpec& spec, uint64_t block_threads) {
  const uint64_t unit = spec.limits.register_unit_per_warp, partitions = spec.topology.sub_partitions;
  const uint64_t warps = std::max<uint64_t>((block_threads + isa::kWarpSize - 1) / isa::kWarpSize, 1);
  const uint64_t allocated = (warps + partitions - 1) / partitions * partitions;
  return static_cast<uint32_t>(spec.limits.registers_per_block / (allocated * unit) * unit / isa::kWarpSize);
}

}  // namespace

timing::BlockNeeds needs_of(const timing::GpuSpec& spec, const KernelInfo& kernel, uint64_t block_threads,
                            uint64_t dynamic_shared) {
  const auto registers = static_cast<uint32_t>(kernel.registers);
  return {
      .threads = static_cast<uint32_t>(block_threads),
      .registers_per_thread =
          kernel.registers_estimated ? std::min(registers, most_registers(spec, block_threads)) : registers,
      .shared_bytes = static_cast<uint32_t>(std::min<uint64_t>(kernel.static_shared + dynamic_shared, 0x7fff'ffff))};
}

namespace {

uint64_t most_resident(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request) {
  return resident_clusters(spec, limits, request) * cluster_of(limits.header, request).value_or(Dim3{}).count();
}

}  // namespace

LaunchError check_launch(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request) {
  if (!geometry_is_legal(spec, request.grid, request.block)) {
    return LaunchError::invalid_configuration;
  }
  const uint64_t shared = uint64_t{limits.kernel.static_shared} + request.dynamic_shared;
  if (request.dynamic_shared > limits.max_dynamic_shared ||
      shared > std::max(limits.max_dynamic_shared, spec.limits.shared_per_block_bytes) ||
      violates_reqntid(limits.header, request.block)) {
    return LaunchError::invalid_value;
  }
  const timing::BlockNeeds needs = needs_of(spec, limits.kernel, request.block.count(), request.dynamic_shared);
  const timing::Occupancy fit = timing::occupancy(spec, needs);
  const bool too_many_threads = limits.kernel.max_threads_per_block > 0 &&
                                request.block.count() > static_cast<uint64_t>(limits.kernel.max_threads_per_block);
  if (fit.by_registers == 0 || too_many_threads) {
    return LaunchError::out_of_resources;
  }
  if (fit.blocks_per_sm == 0) {
    return LaunchError::invalid_value;
  }
  if (!wrong_clusters(spec, limits, request).empty()) {
    return spec.cluster.max_blocks == 0 ? LaunchError::no_clusters : LaunchError::invalid_cluster_size;
  }
  if (request.cooperative && request.grid.count() > most_resident(spec, limits, request)) {
    return LaunchError::cooperative_too_large;
  }
  return LaunchError::none;
}

namespace {

std::string text(const Dim3& d) { return fmt::format("({},{},{})", d.x, d.y, d.z); }

std::string explain_geometry(const timing::GpuSpec& spec, const LaunchRequest& request) {
  const uint32_t most = spec.limits.max_threads_per_block;
  if (zero(request.grid) || zero(request.block)) {
    return fmt::format("grid {} of blocks {} is empty: every dimension must be at least 1", text(request.grid),
                       text(request.block));
  }
  if (request.block.count() > most) {
    return fmt::format(
        "blocks {} of {} threads: at most {} threads per block are possible; use smaller blocks and a "
        "larger grid",
        text(request.block), request.block.count(), most);
  }
  if (request.block.z > kMaxBlockZ) {
    return fmt::format("block {}: at most {} threads are possible in z", text(request.block), kMaxBlockZ);
  }
  return fmt::format("grid {}: at most ({},{},{}) blocks are possible", text(request.grid), kMaxGridX, kMaxGridYZ,
                     kMaxGridYZ);
}

std::string explain_shared(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request) {
  const uint64_t asked = uint64_t{limits.kernel.static_shared} + request.dynamic_shared;
  const std::string what = fmt::format("{} bytes of shared memory per block asked ({} static, {} dynamic)", asked,
                                       limits.kernel.static_shared, request.dynamic_shared);
  if (asked <= spec.limits.shared_per_block_optin_bytes) {
    return fmt::format(
        "{}: above {} bytes only after cudaFuncSetAttribute(kernel, "
        "cudaFuncAttributeMaxDynamicSharedMemorySize, {})",
        what, spec.limits.shared_per_block_bytes, request.dynamic_shared);
  }
  return fmt::format("{}: this GPU has at most {}", what, spec.limits.shared_per_block_optin_bytes);
}

std::string explain_resources(const LaunchLimits& limits, const LaunchRequest& request) {
  return fmt::format(
      "blocks of {} threads with {} registers each: this kernel can have at most {} threads per block "
      "(__launch_bounds__ or registers)",
      request.block.count(), limits.kernel.registers, limits.kernel.max_threads_per_block);
}

std::string reason(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request) {
  switch (check_launch(spec, limits, request)) {
    case LaunchError::none: return "";
    case LaunchError::invalid_configuration: return explain_geometry(spec, request);
    case LaunchError::invalid_value:
      return violates_reqntid(limits.header, request.block)
                 ? fmt::format("block {}: the kernel's code requires another shape", text(request.block))
                 : explain_shared(spec, limits, request);
    case LaunchError::out_of_resources: return explain_resources(limits, request);
    case LaunchError::no_clusters:
    case LaunchError::invalid_cluster_size: return wrong_clusters(spec, limits, request);
    case LaunchError::cooperative_too_large:
      return fmt::format("a cooperative grid of {} blocks: at most {} are resident at once", request.grid.count(),
                         most_resident(spec, limits, request));
  }
  HPML_CHECK(false, "unknown launch error");
}

}  // namespace

std::string explain_launch(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request) {
  const std::string why = reason(spec, limits, request);
  return why.empty() ? why : fmt::format("kernel {} was not launched: {}", demangle(limits.kernel.name), why);
}

}  // namespace hpml::sim::device
