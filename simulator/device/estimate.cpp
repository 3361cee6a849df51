#include "simulator/device/estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "simulator/device/formulas.hpp"

namespace hpml::sim::device {
namespace {

using timing::GpuSpec;
using timing::Pipe;

// SMs that have a block: the rest adds no throughput.
double busy_sms(uint64_t blocks, const GpuSpec& spec) {
  return static_cast<double>(std::min<uint64_t>(blocks, spec.topology.sms));
}

double pipe_cycles(const exec::Counters& counters, double sms, const GpuSpec& spec) {
  std::array<double, timing::kPipeCount> busy{};
  for (int i = 0; i < isa::kLatCount; ++i) {
    const timing::LatencyClass& latency = spec.latency[static_cast<size_t>(i)];
    busy[static_cast<size_t>(latency.pipe)] += static_cast<double>(counters.lat_instructions[i]) * latency.interval;
  }
  double most = 0;
  for (int i = 0; i < timing::kPipeCount; ++i) {
    const auto pipe = static_cast<Pipe>(i);
    const bool one_per_sm = pipe == Pipe::lsu || (pipe == Pipe::fp64 && spec.core.fp64_pipe_per_sm);
    most = std::max(most, busy[static_cast<size_t>(i)] / (sms * (one_per_sm ? 1 : spec.topology.sub_partitions)));
  }
  return most;
}

// The dependent chain of one warp, taken as all of its instructions one after the other, times the rounds of blocks.
double latency_cycles(const exec::Counters& counters, uint64_t blocks, const timing::Occupancy& fit,
                      const GpuSpec& spec) {
  double total = 0;
  for (int i = 0; i < isa::kLatCount; ++i) {
    const auto lat = static_cast<isa::Lat>(i);
    const double one = lat == isa::Lat::ld_global ? spec.l2.near_latency_cycles : spec.of(lat).latency;
    total += static_cast<double>(counters.lat_instructions[i]) * one;
  }
  const double warps = static_cast<double>(blocks) * fit.warps_per_block;
  const double at_once = std::max(1.0, static_cast<double>(fit.blocks_per_sm) * spec.topology.sms);
  const double rounds = std::ceil(static_cast<double>(blocks) / at_once);
  return total / warps * rounds;
}

}  // namespace

std::array<uint32_t, isa::kLatCount> warp_latencies(const timing::GpuSpec& spec) {
  std::array<uint32_t, isa::kLatCount> out = {};
  for (int i = 0; i < isa::kLatCount; ++i) {
    const auto lat = static_cast<isa::Lat>(i);
    const double cycles = lat == isa::Lat::ld_global ? spec.l2.near_latency_cycles : spec.of(lat).latency;
    out[static_cast<size_t>(i)] = static_cast<uint32_t>(std::lround(cycles));
  }
  return out;
}

double estimate_cycles(const exec::Counters& counters, uint64_t blocks, const timing::Occupancy& fit,
                       const GpuSpec& spec) {
  const double sms = busy_sms(blocks, spec);
  const double issue = static_cast<double>(counters.warp_instructions) /
                       (sms * spec.topology.sub_partitions * spec.topology.issue_per_scheduler);
  const auto bytes = static_cast<double>(l1_bytes_of(counters));
  const double l1 = bytes / (sms * spec.l1.bytes_per_cycle);
  const double dram = bytes / (spec.dram_bytes_per_cycle() * spec.dram.read_efficiency);
  return std::max({issue, pipe_cycles(counters, sms, spec), l1, dram, latency_cycles(counters, blocks, fit, spec)});
}

}  // namespace hpml::sim::device
