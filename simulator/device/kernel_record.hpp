#pragma once
// The entry of metrics.json "kernels" for one launch: a pure function of what the launch was and what was counted.
#include <optional>
#include <vector>

#include "simulator/device/api.hpp"
#include "simulator/exec/counters.hpp"
#include "simulator/exec/source_lines.hpp"
#include "simulator/sanitize/phases.hpp"
#include "simulator/timing/counters.hpp"
#include "simulator/timing/gpu_spec.hpp"
#include "simulator/timing/occupancy.hpp"

namespace hpml::sim::device {

struct LaunchFacts {
  const KernelInfo& kernel;
  const LaunchRequest& request;
  timing::Occupancy fit;
  exec::Counters counters;
  std::vector<exec::LineAccess> lines = {};
  double cycles = 0, duration_ns = 0;             // elapsed, everything the kernel itself took
  std::optional<timing::ModelCounters> modelled;  // none: functional mode, the time is an estimate
  bool sampled = false;
  double sampled_fraction = 1;
  uint64_t fault_groups = 0, migrated_bytes = 0;  // managed memory, by this kernel
  double fault_us = 0;
  std::optional<sanitize::Staged> staged = {};  // no value unless `--check phases` is on
};

metrics::Kernel kernel_record(const LaunchFacts& facts, const timing::GpuSpec& spec);

}  // namespace hpml::sim::device
