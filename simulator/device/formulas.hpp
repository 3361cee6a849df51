#pragma once
// What the rows of simulator/metrics/counters.tsv are made of: pure functions of the counters of exec and timing, of
// the facts of the launch and of the GPU file (simulator_timing section 10). Ratios without a denominator (no such
// request) are 0, as the profiler prints them.
#include <array>
#include <numeric>
#include <optional>

#include "simulator/device/kernel_record.hpp"
#include "simulator/exec/counters.hpp"
#include "simulator/timing/counters.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::device {

inline constexpr uint64_t kSectorBytes = 32;

double percent(double numerator, double denominator);
double per(uint64_t numerator, uint64_t denominator);

// The launch.
std::optional<uint32_t> cluster_extent(const LaunchFacts& launch, uint32_t Dim3::*axis);
double waves(const LaunchFacts& launch, const timing::GpuSpec& spec);
std::optional<uint64_t> staged(const LaunchFacts& launch, uint64_t sanitize::Staged::*words);
std::optional<uint32_t> limit(uint32_t blocks);  // nothing: a resource the kernel does not use
double possible_occupancy_pct(const LaunchFacts& launch, const timing::GpuSpec& spec);

// Exact counters.
double sectors_per_request(const exec::SpaceCounters& space);
double bytes_per_sector_pct(const exec::SpaceCounters& space);
uint64_t conflicts(const exec::SharedCounters& shared);
uint64_t ops(const exec::Counters& counters, isa::ThreadOp op);
uint64_t matrix_ops(const exec::Counters& counters, isa::Element type);
// Passes through the shared-memory banks, of all operations.
uint64_t shared_wavefronts(const exec::Counters& counters);
// Bytes that left or entered the first-level cache's data stage for global and local memory: 32 per sector.
uint64_t l1_bytes_of(const exec::Counters& counters);

// Floating-point operations by precision: add + mul + 2 x fma; those of matrix products by the type of their factors.
struct Flops {
  uint64_t fp16 = 0, fp32 = 0, fp64 = 0;
  std::array<uint64_t, isa::kElementCount> matrix = {};  // by isa::Element; integer types stay 0
  uint64_t tensor() const { return std::accumulate(matrix.begin(), matrix.end(), uint64_t{0}); }
  uint64_t total() const { return fp16 + fp32 + fp64 + tensor(); }
};
Flops flops_of(const exec::Counters& counters);

// Modelled counters. `cycles` is the time of the kernel, everything included; percentages compare with what the units
// of the whole GPU could have done in it.
double active(const timing::ModelCounters& counters);  // SM-cycles with a warp
uint64_t issued(const timing::ModelCounters& counters, timing::Pipe pipe);
uint64_t stalled(const timing::ModelCounters& counters, timing::Stall stall);
double stalls_per_issue(const timing::ModelCounters& counters, timing::Stall stall);
uint64_t resident_warp_cycles(const timing::ModelCounters& counters);
uint64_t l2_sectors(const timing::ModelCounters& counters);
uint64_t l2_bytes_of(const timing::ModelCounters& counters);
uint64_t dram_bytes_of(const timing::ModelCounters& counters);
double occupancy_pct(const timing::ModelCounters& counters, const timing::GpuSpec& spec);
// Busy share of an arithmetic pipe in so many SM-cycles, as if every instruction had the pipe's shortest interval: what
// pct_of_peak compares with is the rate of the pipe's fastest instruction.
double pipe_pct(const timing::ModelCounters& counters, const timing::GpuSpec& spec, timing::Pipe pipe,
                double sm_cycles);
double shared_throughput_pct(const exec::Counters& counters, double cycles, const timing::GpuSpec& spec);
double sm_throughput_pct(const timing::ModelCounters& counters, double cycles, const timing::GpuSpec& spec);
double l1_active_pct(const timing::ModelCounters& counters, const timing::GpuSpec& spec);
double l2_throughput_pct(const timing::ModelCounters& counters, double cycles, const timing::GpuSpec& spec);
double dram_throughput_pct(const timing::ModelCounters& counters, double cycles, const timing::GpuSpec& spec);
double link_throughput_pct(const timing::ModelCounters& counters, double cycles, const timing::GpuSpec& spec);
double memory_throughput_pct(const timing::ModelCounters& counters, double cycles, const timing::GpuSpec& spec);
// The busiest of issue slots, pipes, caches and DRAM, as a part of what the whole GPU could do: 0 to 1.
double throughput_fraction(const timing::ModelCounters& counters, double cycles, const timing::GpuSpec& spec);

}  // namespace hpml::sim::device
