#pragma once
// Thread block clusters of a launch: which, whether the GPU can have them, how many are resident at once (CUDA C++
// Programming Guide, "Thread Block Clusters").
#include "simulator/device/launch_check.hpp"

namespace hpml::sim::device {

// What the launch says, or else the kernel's code (__cluster_dims__). Nothing: no explicit clusters.
std::optional<Dim3> cluster_of(const ir::KernelHeader& header, const LaunchRequest& request);

// The launch with its grid in blocks, where the kernel's code (__block_size__) counts it in clusters.
LaunchRequest in_blocks(const ir::KernelHeader& header, LaunchRequest request);

// What of the launch's clusters is impossible, and how to mend it; empty when nothing is.
std::string wrong_clusters(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request);

// Clusters of the launch that are resident at once, as far as each GPC has room.
uint64_t resident_clusters(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request);

}  // namespace hpml::sim::device
