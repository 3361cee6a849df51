#pragma once
// May this launch start? The checks of the runtime, before anything runs (simulator_frontend section 4.2).
#include "simulator/device/api.hpp"
#include "simulator/ir/program.hpp"
#include "simulator/timing/gpu_spec.hpp"
#include "simulator/timing/occupancy.hpp"

namespace hpml::sim::device {

struct LaunchLimits {
  const KernelInfo& kernel;
  const ir::KernelHeader& header;
  uint32_t max_dynamic_shared = 0;
};

LaunchError check_launch(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request);

// Why it may not, with numbers; empty when it may.
std::string explain_launch(const timing::GpuSpec& spec, const LaunchLimits& limits, const LaunchRequest& request);

// What a block of this launch takes from an SM. Registers that are estimated never keep a block from starting.
timing::BlockNeeds needs_of(const timing::GpuSpec& spec, const KernelInfo& kernel, uint64_t block_threads,
                            uint64_t dynamic_shared);

}  // namespace hpml::sim::device
