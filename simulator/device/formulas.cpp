#include "simulator/device/formulas.hpp"

#include <algorithm>

namespace hpml::sim::device {
namespace {

using exec::Counters;
using exec::SharedCounters;
using exec::SpaceCounters;
using isa::ThreadOp;
using timing::GpuSpec;
using timing::ModelCounters;
using timing::Pipe;
using timing::Stall;

constexpr Pipe kArithmeticPipes[] = {Pipe::fma, Pipe::alu, Pipe::fp64, Pipe::xu, Pipe::tensor};

double ratio(double numerator, double denominator) { return denominator == 0 ? 0.0 : numerator / denominator; }

double busiest_pipe_pct(const ModelCounters& counters, double cycles, const GpuSpec& spec) {
  double busiest = 0;
  for (const Pipe pipe : kArithmeticPipes) {
    busiest = std::max(busiest, pipe_pct(counters, spec, pipe, cycles * spec.topology.sms));
  }
  return busiest;
}

}  // namespace

double percent(double numerator, double denominator) { return 100.0 * ratio(numerator, denominator); }
double per(uint64_t numerator, uint64_t denominator) {
  return ratio(static_cast<double>(numerator), static_cast<double>(denominator));
}

std::optional<uint32_t> cluster_extent(const LaunchFacts& launch, uint32_t Dim3::*axis) {
  const auto& cluster = launch.request.cluster ? launch.request.cluster : launch.kernel.cluster;
  return cluster ? std::optional((*cluster).*axis) : std::nullopt;
}

double waves(const LaunchFacts& launch, const GpuSpec& spec) {
  return static_cast<double>(launch.request.grid.count()) /
         (static_cast<double>(launch.fit.blocks_per_sm) * spec.topology.sms);
}

std::optional<uint64_t> staged(const LaunchFacts& launch, uint64_t sanitize::Staged::*words) {
  return launch.staged ? std::optional((*launch.staged).*words) : std::nullopt;
}

std::optional<uint32_t> limit(uint32_t blocks) {
  return blocks != timing::Occupancy::kUnlimited ? std::optional(blocks) : std::nullopt;
}

double possible_occupancy_pct(const LaunchFacts& launch, const GpuSpec& spec) {
  return 100.0 * launch.fit.blocks_per_sm * launch.fit.warps_per_block / spec.limits.max_warps_per_sm;
}

double sectors_per_request(const SpaceCounters& space) { return per(space.sectors, space.requests); }
double bytes_per_sector_pct(const SpaceCounters& space) {
  return 100.0 * ratio(static_cast<double>(space.bytes), kSectorBytes * static_cast<double>(space.sectors));
}
uint64_t conflicts(const SharedCounters& shared) { return shared.wavefronts - shared.ideal_wavefronts; }
uint64_t ops(const Counters& c, ThreadOp op) { return c.thread_ops[static_cast<size_t>(op)]; }
uint64_t matrix_ops(const Counters& c, isa::Element type) { return c.matrix_operations[static_cast<size_t>(type)]; }

uint64_t shared_wavefronts(const Counters& c) {
  return c.shared_ld.wavefronts + c.shared_st.wavefronts + c.shared_atom.wavefronts;
}

uint64_t l1_bytes_of(const Counters& c) {
  uint64_t sectors = 0;
  for (const auto* space : {&c.global_ld, &c.global_st, &c.global_atom, &c.global_red, &c.local_ld, &c.local_st}) {
    sectors += space->sectors;
  }
  return sectors * kSectorBytes;
}

Flops flops_of(const Counters& c) {
  Flops flops{.fp16 = ops(c, ThreadOp::hadd) + ops(c, ThreadOp::hmul) + 2 * ops(c, ThreadOp::hfma),
              .fp32 = ops(c, ThreadOp::fadd) + ops(c, ThreadOp::fmul) + 2 * ops(c, ThreadOp::ffma),
              .fp64 = ops(c, ThreadOp::dadd) + ops(c, ThreadOp::dmul) + 2 * ops(c, ThreadOp::dfma)};
  for (const isa::Element type :
       {isa::Element::f16, isa::Element::bf16, isa::Element::tf32, isa::Element::f64, isa::Element::e4m3,
        isa::Element::e5m2, isa::Element::e3m2, isa::Element::e2m3, isa::Element::e2m1, isa::Element::e2m1_packed}) {
    flops.matrix[static_cast<size_t>(type)] = matrix_ops(c, type);
  }
  return flops;
}

double active(const ModelCounters& c) { return static_cast<double>(c.sm_cycles_active); }
uint64_t issued(const ModelCounters& c, Pipe pipe) { return c.pipe_issued[static_cast<size_t>(pipe)]; }
uint64_t stalled(const ModelCounters& c, Stall stall) { return c.stall_cycles[static_cast<size_t>(stall)]; }
double stalls_per_issue(const ModelCounters& c, Stall stall) { return per(stalled(c, stall), c.issue_active); }
uint64_t resident_warp_cycles(const ModelCounters& c) {
  return std::accumulate(c.stall_cycles.begin(), c.stall_cycles.end(), uint64_t{0});
}
uint64_t l2_sectors(const ModelCounters& c) {
  return std::accumulate(c.l2_sectors.begin(), c.l2_sectors.end(), uint64_t{0});
}
uint64_t l2_bytes_of(const ModelCounters& counters) { return l2_sectors(counters) * kSectorBytes; }
uint64_t dram_bytes_of(const ModelCounters& counters) {
  return (counters.dram_read_sectors + counters.dram_write_sectors) * kSectorBytes;
}

double occupancy_pct(const ModelCounters& counters, const GpuSpec& spec) {
  return percent(static_cast<double>(resident_warp_cycles(counters)), active(counters) * spec.limits.max_warps_per_sm);
}

double pipe_pct(const ModelCounters& counters, const GpuSpec& spec, Pipe pipe, double sm_cycles) {
  double interval = 0;
  for (const timing::LatencyClass& latency : spec.latency) {
    if (latency.pipe == pipe && latency.interval > 0) {
      interval = interval == 0 ? latency.interval : std::min(interval, latency.interval);
    }
  }
  const bool one_per_sm = pipe == Pipe::fp64 && spec.core.fp64_pipe_per_sm;
  const double pipes = one_per_sm ? 1.0 : spec.topology.sub_partitions;
  return percent(static_cast<double>(issued(counters, pipe)) * interval, pipes * sm_cycles);
}

double shared_throughput_pct(const Counters& counters, double cycles, const GpuSpec& spec) {
  const double passes = static_cast<double>(shared_wavefronts(counters)) * spec.of(isa::Lat::ld_shared).interval;
  const double sm_cycles = cycles * spec.topology.sms;
  return sm_cycles > 0 ? 100.0 * passes / sm_cycles : 0.0;
}

double sm_throughput_pct(const ModelCounters& counters, double cycles, const GpuSpec& spec) {
  const double slots = cycles * spec.topology.sms * spec.topology.sub_partitions * spec.topology.issue_per_scheduler;
  return std::max(percent(static_cast<double>(counters.issued), slots), busiest_pipe_pct(counters, cycles, spec));
}

double l1_active_pct(const ModelCounters& counters, const GpuSpec& spec) {
  return percent(static_cast<double>(counters.l1_sectors * kSectorBytes),
                 active(counters) * static_cast<double>(spec.l1.bytes_per_cycle));
}

double l2_throughput_pct(const ModelCounters& counters, double cycles, const GpuSpec& spec) {
  return percent(static_cast<double>(l2_bytes_of(counters)), spec.l2.slices * spec.l2.slice_bytes_per_cycle * cycles);
}

double dram_throughput_pct(const ModelCounters& counters, double cycles, const GpuSpec& spec) {
  return percent(static_cast<double>(dram_bytes_of(counters)), spec.dram_bytes_per_cycle() * cycles);
}

// The busier direction.
double link_throughput_pct(const ModelCounters& counters, double cycles, const GpuSpec& spec) {
  const auto pct = [&](uint64_t sectors, double gbs) {
    return percent(static_cast<double>(sectors * kSectorBytes), gbs * cycles * 1000.0 / spec.clocks.core_mhz);
  };
  return std::max(pct(counters.link_read_sectors, spec.host_link.pinned_h2d_gbs),
                  pct(counters.link_write_sectors, spec.host_link.pinned_d2h_gbs));
}

double memory_throughput_pct(const ModelCounters& counters, double cycles, const GpuSpec& spec) {
  const double l2 = l2_throughput_pct(counters, cycles, spec);
  const double l1 = percent(static_cast<double>(counters.l1_sectors * kSectorBytes),
                            spec.topology.sms * static_cast<double>(spec.l1.bytes_per_cycle) * cycles);
  return std::max({dram_throughput_pct(counters, cycles, spec), l2, l1});
}

double throughput_fraction(const ModelCounters& counters, double cycles, const GpuSpec& spec) {
  return std::max(sm_throughput_pct(counters, cycles, spec), memory_throughput_pct(counters, cycles, spec)) / 100.0;
}

}  // namespace hpml::sim::device
