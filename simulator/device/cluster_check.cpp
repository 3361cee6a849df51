#include "simulator/device/cluster_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hpml::sim::device {
namespace {

std::string text(const Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

bool divides(const Dim3& part, const Dim3& whole) {
  return whole.x % part.x == 0 && whole.y % part.y == 0 && whole.z % part.z == 0;
}

std::optional<Dim3> required_cluster(const ir::KernelHeader& header) {
  const auto& c = header.cluster;
  return c[0] != 0 ? std::optional(Dim3{.x = c[0], .y = c[1], .z = c[2]}) : std::nullopt;
}

bool same(const Dim3& a, const Dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// The largest cluster, by what the chip has, what the launch may use of it, and what the code promises.
std::string too_large(const timing::ClusterSpec& chip, const LaunchLimits& limits, const LaunchRequest& request,
                      uint64_t blocks) {
  if (chip.max_blocks == 0) {
    return "this GPU has no clusters: they need compute capability 9.0 (h100, h200)";
  }
  if (blocks > chip.max_blocks) {
    return fmt::format("a cluster has at most {} blocks", chip.max_blocks);
  }
  if (blocks > chip.portable_blocks && !request.non_portable_cluster) {
    return fmt::format(
        "more than {} blocks only after cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, "
        "1)",
        chip.portable_blocks);
  }
  const uint32_t promised = limits.header.max_cluster_rank;
  return promised != 0 && blocks > promised
             ? fmt::format("the kernel was compiled for clusters of at most {} blocks (__launch_bounds__)", promised)
             : "";
}

}  // namespace

std::optional<Dim3> cluster_of(const ir::KernelHeader& header, const LaunchRequest& request) {
  return request.cluster ? request.cluster : required_cluster(header);
}

LaunchRequest in_blocks(const ir::KernelHeader& header, LaunchRequest request) {
  const std::optional<Dim3> cluster = cluster_of(header, request);
  if (header.grid_of_clusters && cluster) {
    request.grid = {
        .x = request.grid.x * cluster->x, .y = request.grid.y * cluster->y, .z = request.grid.z * cluster->z};
  }
  return request;
}

std::string wrong_clusters(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request) {
  const std::optional<Dim3> cluster = cluster_of(limits.header, request);
  if (!cluster || (cluster->count() == 1 && !required_cluster(limits.header))) {
    return "";
  }
  const std::string what = fmt::format("clusters of {} blocks: ", text(*cluster));
  if (cluster->count() == 0) {
    return what + "every dimension must be at least 1";
  }
  if (const auto required = required_cluster(limits.header); required && !same(*required, *cluster)) {
    return what + fmt::format("the kernel's code requires {} (__cluster_dims__)", text(*required));
  }
  if (!divides(*cluster, request.grid)) {
    return what + fmt::format("the grid {} is no multiple of them", text(request.grid));
  }
  if (cluster->count() == 1) {
    return "";
  }
  if (std::string why = too_large(spec.cluster, limits, request, cluster->count()); !why.empty()) {
    return what + why;
  }
  return resident_clusters(spec, limits, request) > 0 ? "" : what + "no GPC of this GPU has room for so many blocks";
}

uint64_t resident_clusters(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request) {
  const uint64_t per_sm =
      timing::occupancy(spec, needs_of(spec, limits.kernel, request.block.count(), request.dynamic_shared))
          .blocks_per_sm;
  const uint64_t blocks = cluster_of(limits.header, request).value_or(Dim3{}).count();
  if (blocks <= 1) {
    return per_sm * spec.topology.sms;
  }
  // The blocks of a cluster lie on different SMs of one GPC: so an H100 counts (cudaOccupancyMaxActiveClusters).
  uint64_t on_each = 0;
  for (const uint64_t in_gpc : spec.cluster.gpc_sms) {
    on_each += in_gpc / blocks;
  }
  return on_each * per_sm;
}

}  // namespace hpml::sim::device
