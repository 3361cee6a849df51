#include "simulator/device/model_metrics.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace hpml::sim::device {
namespace {

using Json = nlohmann::ordered_json;
using timing::GpuSpec;
using timing::ModelCounters;
using timing::Pipe;
using timing::Stall;

constexpr uint64_t kSectorBytes = 32;

double ratio(double numerator, double denominator) { return denominator == 0 ? 0.0 : numerator / denominator; }
double ratio(uint64_t numerator, uint64_t denominator) {
  return ratio(static_cast<double>(numerator), static_cast<double>(denominator));
}
double percent(double numerator, double denominator) { return 100.0 * ratio(numerator, denominator); }

uint64_t stalled(const ModelCounters& c, Stall stall) { return c.stall_cycles[static_cast<size_t>(stall)]; }
uint64_t resident_warp_cycles(const ModelCounters& c) {
  return std::accumulate(c.stall_cycles.begin(), c.stall_cycles.end(), uint64_t{0});
}
uint64_t l2_sectors(const ModelCounters& c) {
  return std::accumulate(c.l2_sectors.begin(), c.l2_sectors.end(), uint64_t{0});
}

constexpr Pipe kArithmeticPipes[] = {Pipe::fma, Pipe::alu, Pipe::fp64, Pipe::xu, Pipe::tensor};

// Busy share of an arithmetic pipe in so many SM-cycles, as if every instruction had the pipe's shortest interval: what
// pct_of_peak compares with is the rate of the pipe's fastest instruction.
double pipe_pct(const ModelCounters& counters, const GpuSpec& spec, Pipe pipe, double sm_cycles) {
  double interval = 0;
  for (const timing::LatencyClass& latency : spec.latency) {
    if (latency.pipe == pipe && latency.interval > 0) {
      interval = interval == 0 ? latency.interval : std::min(interval, latency.interval);
    }
  }
  const bool one_per_sm = pipe == Pipe::fp64 && spec.core.fp64_pipe_per_sm;
  const double pipes = one_per_sm ? 1.0 : spec.topology.sub_partitions;
  const auto issued = static_cast<double>(counters.pipe_issued[static_cast<size_t>(pipe)]);
  return percent(issued * interval, pipes * sm_cycles);
}

double busiest_pipe_pct(const ModelledLaunch& launch, const GpuSpec& spec) {
  double busiest = 0;
  for (const Pipe pipe : kArithmeticPipes) {
    busiest = std::max(busiest, pipe_pct(launch.counters, spec, pipe, launch.cycles * spec.topology.sms));
  }
  return busiest;
}

double sm_throughput_pct(const ModelledLaunch& launch, const GpuSpec& spec) {
  const double slots =
      launch.cycles * spec.topology.sms * spec.topology.sub_partitions * spec.topology.issue_per_scheduler;
  return std::max(percent(static_cast<double>(launch.counters.issued), slots), busiest_pipe_pct(launch, spec));
}

double dram_throughput_pct(const ModelledLaunch& launch, const GpuSpec& spec) {
  return percent(static_cast<double>(dram_bytes_of(launch.counters)), spec.dram_bytes_per_cycle() * launch.cycles);
}

double l2_throughput_pct(const ModelledLaunch& launch, const GpuSpec& spec) {
  return percent(static_cast<double>(l2_bytes_of(launch.counters)),
                 spec.l2.slices * spec.l2.slice_bytes_per_cycle * launch.cycles);
}

// The busier direction of the host link.
double link_throughput_pct(const ModelledLaunch& launch, const GpuSpec& spec) {
  const auto pct = [&](uint64_t sectors, double gbs) {
    return percent(static_cast<double>(sectors * kSectorBytes), gbs * launch.cycles * 1000.0 / spec.clocks.core_mhz);
  };
  return std::max(pct(launch.counters.link_read_sectors, spec.host_link.pinned_h2d_gbs),
                  pct(launch.counters.link_write_sectors, spec.host_link.pinned_d2h_gbs));
}

double memory_throughput_pct(const ModelledLaunch& launch, const GpuSpec& spec) {
  const double l2 = l2_throughput_pct(launch, spec);
  const double l1 = percent(static_cast<double>(launch.counters.l1_sectors * kSectorBytes),
                            spec.topology.sms * static_cast<double>(spec.l1.bytes_per_cycle) * launch.cycles);
  return std::max({dram_throughput_pct(launch, spec), l2, l1});
}

void add_core_metrics(Json& m, const ModelledLaunch& launch, const GpuSpec& spec) {
  const ModelCounters& c = launch.counters;
  const auto active = static_cast<double>(c.sm_cycles_active);
  m["gpu__time_duration.sum"] = launch.duration_ns;
  m["sm__cycles_elapsed.max"] = launch.cycles;
  m["sm__cycles_active.avg"] = active / spec.topology.sms;
  m["sm__warps_active.avg.pct_of_peak_sustained_active"] =
      percent(static_cast<double>(resident_warp_cycles(c)), active * spec.limits.max_warps_per_sm);
  m["sm__warps_active.avg.per_cycle_active"] = ratio(resident_warp_cycles(c), c.sm_cycles_active);
  m["smsp__warps_eligible.avg.per_cycle_active"] =
      ratio(stalled(c, Stall::not_selected) + stalled(c, Stall::selected), c.scheduler_cycles_active);
  m["smsp__issue_active.avg.per_cycle_active"] = ratio(c.issue_active, c.scheduler_cycles_active);
  m["smsp__inst_executed.sum"] = c.issued;
  m["sm__inst_executed.avg.per_cycle_active"] = ratio(c.issued, c.sm_cycles_active);
  for (const Pipe pipe : {Pipe::fma, Pipe::alu, Pipe::fp64, Pipe::xu, Pipe::lsu, Pipe::tensor}) {
    m["sm__inst_executed_pipe_" + std::string(name(pipe)) + ".sum"] = c.pipe_issued[static_cast<size_t>(pipe)];
  }
  for (const Pipe pipe : kArithmeticPipes) {
    m["sm__inst_executed_pipe_" + std::string(name(pipe)) + ".avg.pct_of_peak_sustained_active"] =
        pipe_pct(c, spec, pipe, active);
  }
  m["sm__throughput.avg.pct_of_peak_sustained_elapsed"] = sm_throughput_pct(launch, spec);
}

void add_memory_metrics(Json& m, const ModelledLaunch& launch, const GpuSpec& spec) {
  const ModelCounters& c = launch.counters;
  m["l1tex__throughput.avg.pct_of_peak_sustained_active"] =
      percent(static_cast<double>(c.l1_sectors * kSectorBytes),
              static_cast<double>(c.sm_cycles_active) * static_cast<double>(spec.l1.bytes_per_cycle));
  m["lts__throughput.avg.pct_of_peak_sustained_elapsed"] = l2_throughput_pct(launch, spec);
  m["l1tex__t_sector_hit_rate.pct"] = 100.0 * ratio(c.l1_hits, c.l1_sectors);
  constexpr const char* kOps[] = {"read", "write", "atom", "red"};  // order of timing::MemOp
  for (size_t i = 0; i < c.l2_sectors.size(); ++i) {
    m[std::string("lts__t_sectors_op_") + kOps[i] + ".sum"] = c.l2_sectors[i];
  }
  m["lts__t_sector_hit_rate.pct"] = 100.0 * ratio(c.l2_hits, l2_sectors(c));
  m["lts__t_bytes.sum"] = l2_bytes_of(c);
  m["dram__bytes_read.sum"] = c.dram_read_sectors * kSectorBytes;
  m["dram__bytes_write.sum"] = c.dram_write_sectors * kSectorBytes;
  m["pcie__read_bytes.sum"] = c.link_read_sectors * kSectorBytes;
  m["pcie__write_bytes.sum"] = c.link_write_sectors * kSectorBytes;
  m["gpusim__host_link_throughput.avg.pct_of_peak_sustained_elapsed"] = link_throughput_pct(launch, spec);
  m["dram__throughput.avg.pct_of_peak_sustained_elapsed"] = dram_throughput_pct(launch, spec);
  m["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"] = memory_throughput_pct(launch, spec);
}

}  // namespace

double throughput_fraction(const ModelledLaunch& launch, const GpuSpec& spec) {
  return std::max(sm_throughput_pct(launch, spec), memory_throughput_pct(launch, spec)) / 100.0;
}

uint64_t l2_bytes_of(const ModelCounters& counters) { return l2_sectors(counters) * kSectorBytes; }

uint64_t dram_bytes_of(const ModelCounters& counters) {
  return (counters.dram_read_sectors + counters.dram_write_sectors) * kSectorBytes;
}

Json model_metrics(const ModelledLaunch& launch, const GpuSpec& spec) {
  Json metrics = Json::object();
  add_core_metrics(metrics, launch, spec);
  add_memory_metrics(metrics, launch, spec);
  for (int i = 0; i < timing::kStallCount; ++i) {
    const auto stall = static_cast<Stall>(i);
    metrics["smsp__average_warps_issue_stalled_" + std::string(name(stall)) + "_per_issue_active.ratio"] =
        ratio(stalled(launch.counters, stall), launch.counters.issue_active);
  }
  return metrics;
}

Json stalls_record(const ModelCounters& counters) {
  Json stalls = Json::object();
  for (int i = 0; i < timing::kStallCount; ++i) {
    stalls[std::string(name(static_cast<Stall>(i)))] = counters.stall_cycles[static_cast<size_t>(i)];
  }
  return stalls;
}

}  // namespace hpml::sim::device
