#pragma once
// The counters of a launch and of a program under the names of simulator/metrics/counters.tsv, in its order.
#include "simulator/device/kernel_record.hpp"
#include "simulator/timing/host/unified_memory.hpp"

namespace hpml::sim::device {

// Sums are whole numbers, ratios and percentages real ones. What the launch does not have is left out; so is what the
// timing model counts where nothing was timed.
metrics::Values launch_counters(const LaunchFacts& facts, const timing::GpuSpec& spec);

// Block "unified_memory" of the document.
metrics::Values program_counters(const timing::UnifiedCounters& counters, const timing::GpuSpec& spec);

// Warp-cycles per stall reason: they sum up to the warp-cycles of all resident warps.
metrics::Values stall_counters(const timing::ModelCounters& counters);

}  // namespace hpml::sim::device
