// What host operations and managed memory cost: the pure functions of timing/host in the units of the device interface.
#include "simulator/timing/host/costs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "simulator/device/counters.hpp"
#include "simulator/device/simulated_device.hpp"

namespace hpml::sim::device {
namespace {

Picoseconds from_us(double us) { return std::llround(us * 1e6); }

}  // namespace

Picoseconds SimulatedDevice::copy_time(CopyKind kind, bool pinned, uint64_t bytes) const {
  switch (kind) {
    case CopyKind::host_to_host: return from_us(timing::host_to_host_us(spec_, bytes));
    case CopyKind::host_to_device:
      return from_us(timing::host_copy_us(spec_, timing::Direction::host_to_device, pinned, bytes));
    case CopyKind::device_to_host:
      return from_us(timing::host_copy_us(spec_, timing::Direction::device_to_host, pinned, bytes));
    case CopyKind::device_to_device: return from_us(timing::device_copy_us(spec_, bytes));
  }
  HPML_CHECK(false, fmt::format("copy kind {}", static_cast<int>(kind)));
}

Picoseconds SimulatedDevice::memset_time(uint64_t bytes) const { return from_us(timing::memset_us(spec_, bytes)); }

Picoseconds SimulatedDevice::api_cost(ApiCost what, uint64_t bytes) const {
  const timing::ApiCosts& api = spec_.api;
  const auto cost = [bytes](const timing::ApiCost& of) { return from_us(timing::cost_us(of, bytes)); };
  switch (what) {
    case ApiCost::context_create: return cost(api.context_create);
    case ApiCost::malloc_device: return cost(api.malloc_device);
    case ApiCost::malloc_managed: return cost(api.malloc_managed);
    case ApiCost::malloc_host: return cost(api.malloc_host);
    case ApiCost::free_device: return cost(api.free_device);
    case ApiCost::free_managed: return cost(api.free_managed);
    case ApiCost::free_host: return cost(api.free_host);
    case ApiCost::launch: return cost(api.launch);
    case ApiCost::launch_to_start: return from_us(api.launch_to_start_us);
    case ApiCost::synchronize: return cost(api.synchronize);
    case ApiCost::event_record: return cost(api.event_record);
    case ApiCost::memcpy_call: return cost(api.memcpy_call);
    case ApiCost::memset_call: return cost(api.memset_call);
    case ApiCost::stream_create: return cost(api.stream_create);
    case ApiCost::query: return cost(api.query);
  }
  HPML_CHECK(false, fmt::format("API cost {}", static_cast<int>(what)));
}

Picoseconds SimulatedDevice::prefetch(uint64_t address, uint64_t bytes, bool to_device) {
  managed_.note_first_touches();
  const double us = unified_.prefetch(address, bytes, to_device);
  managed_.protect();
  return from_us(us);
}

void SimulatedDevice::advise(uint64_t address, uint64_t bytes, memory::Advice advice, bool set) {
  managed_.note_first_touches();
  unified_.advise(address, bytes, advice, set);
  managed_.protect();
}

Picoseconds SimulatedDevice::take_host_fault_time() { return from_us(unified_.take_host_fault_us()); }

metrics::Values SimulatedDevice::unified_memory_record() const { return program_counters(unified_.counters(), spec_); }

}  // namespace hpml::sim::device
