#pragma once
// The modelled metrics of a launch under the names Nsight Compute prints: pure functions of the timing model's
// counters and the GPU file (simulator_timing section 10, "Modelled", and "Definitions").
#include <nlohmann/json.hpp>

#include "simulator/timing/counters.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::device {

struct ModelledLaunch {
  timing::ModelCounters counters;
  double cycles = 0;       // elapsed core clock cycles
  double duration_ns = 0;  // of the kernel
};

nlohmann::ordered_json model_metrics(const ModelledLaunch& launch, const timing::GpuSpec& spec);

// The busiest of issue slots, pipes, caches and DRAM, as a part of what the whole GPU could do: 0 to 1.
double throughput_fraction(const ModelledLaunch& launch, const timing::GpuSpec& spec);

// Warp-cycles per stall reason: they sum up to the warp-cycles of all resident warps.
nlohmann::ordered_json stalls_record(const timing::ModelCounters& counters);

uint64_t l2_bytes_of(const timing::ModelCounters& counters);
uint64_t dram_bytes_of(const timing::ModelCounters& counters);

}  // namespace hpml::sim::device
