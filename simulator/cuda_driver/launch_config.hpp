#pragma once
// The configuration of a launch, as the driver's calls take it and as the runtime's do.
#include "simulator/device/api.hpp"

namespace hpml::sim::cuda_driver {

struct LaunchConfig {  // CUlaunchConfig
  device::Dim3 grid, block;
  unsigned shared;
  void* stream;
  const void* attributes;
  unsigned count;
};
struct RuntimeLaunchConfig {  // cudaLaunchConfig_t: the attributes have the same form
  device::Dim3 grid, block;
  size_t shared;
  void* stream;
  const void* attributes;
  unsigned count;
};
static_assert(sizeof(LaunchConfig) == 56 && sizeof(RuntimeLaunchConfig) == 56);

inline RuntimeLaunchConfig as_runtime(const LaunchConfig& config) {
  return {config.grid, config.block, config.shared, config.stream, config.attributes, config.count};
}

}  // namespace hpml::sim::cuda_driver
