#include "simulator/device/properties.hpp"

#include <cmath>

namespace hpml::sim::device {
namespace {

int khz(double mhz) { return static_cast<int>(std::lround(mhz * 1000.0)); }

}  // namespace

Properties properties_of(const timing::GpuSpec& spec) {
  Properties p;
  p.name = spec.identity.name + " (simulated)";
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
  p.concurrent_managed_access = spec.unified_memory.demand_paging;
  return p;
}

}  // namespace hpml::sim::device
