#include "simulator/device/properties.hpp"

#include <cmath>

#include "simulator/device/roofline.hpp"

namespace hpml::sim::device {
namespace {

int khz(double mhz) { return static_cast<int>(std::lround(mhz * 1000.0)); }

// Multiply-adds per clock and multiprocessor.
double gflops(const timing::GpuSpec& spec, double rate) {
  return 2 * rate * spec.topology.sms * spec.clocks.core_mhz / 1000.0;
}

Rates rates_of(const timing::GpuSpec& spec) {
  const Ceilings ceilings = ceilings_of(spec);
  return {.fp16_gflops = ceilings.fp16_gflops,
          .fp32_gflops = ceilings.fp32_gflops,
          .fp64_gflops = ceilings.fp64_gflops,
          .tensor_fp16_gflops = gflops(spec, spec.tensor.f16),
          .tensor_tf32_gflops = gflops(spec, spec.tensor.tf32),
          .tensor_fp64_gflops = gflops(spec, spec.tensor.f64),
          .dram_gbs = ceilings.dram_gbs,
          .l2_gbs = ceilings.l2_gbs};
}

}  // namespace

Properties properties_of(const timing::GpuSpec& spec) {
  Properties p;
  p.name = spec.identity.name + " (simulated)";
  p.chip = spec.identity.chip;
  p.architecture = spec.identity.architecture;
  p.cc_major = spec.identity.cc_major;
  p.cc_minor = spec.identity.cc_minor;
  p.multiprocessors = static_cast<int>(spec.topology.sms);
  p.max_threads_per_block = static_cast<int>(spec.limits.max_threads_per_block);
  p.max_threads_per_multiprocessor = static_cast<int>(spec.limits.max_threads_per_sm);
  p.max_blocks_per_multiprocessor = static_cast<int>(spec.limits.max_blocks_per_sm);
  p.registers_per_block = static_cast<int>(spec.limits.registers_per_block);
  p.registers_per_multiprocessor = static_cast<int>(spec.limits.registers_per_sm);
  p.shared_per_block = spec.limits.shared_per_block_bytes;
  p.shared_per_block_optin = spec.limits.shared_per_block_optin_bytes;
  p.shared_per_multiprocessor = spec.limits.shared_per_sm_bytes;
  p.reserved_shared_per_block = spec.limits.shared_reserved_bytes;
  p.total_memory = spec.dram.size_mib << 20;
  p.l2_bytes = uint64_t{spec.l2.size_kib} << 10;
  p.const_bytes = spec.limits.const_bytes;
  p.core_clock_khz = khz(spec.clocks.reported_core_mhz);
  p.memory_clock_khz = khz(spec.clocks.memory_mhz);
  p.memory_bus_bits = static_cast<int>(spec.dram.bus_bits);
  p.copy_engines = static_cast<int>(spec.host_link.copy_engines);
  p.max_cluster_blocks = static_cast<int>(spec.cluster.max_blocks);
  p.portable_cluster_blocks = static_cast<int>(spec.cluster.portable_blocks);
  p.concurrent_managed_access = spec.unified_memory.demand_paging;
  p.rates = rates_of(spec);
  return p;
}

}  // namespace hpml::sim::device
