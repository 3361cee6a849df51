#pragma once
// What host operations cost, as pure functions of the GPU file. Microseconds.
#include <cstdint>

#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

enum class Direction : uint8_t { host_to_device, device_to_host };

// A copy over the host link, its fixed part included, the API call not.
double host_copy_us(const GpuSpec& spec, Direction direction, bool pinned, uint64_t bytes);
// On the device: a copy reads and writes every byte.
double device_copy_us(const GpuSpec& spec, uint64_t bytes);
double memset_us(const GpuSpec& spec, uint64_t bytes);
// Host memory to host memory, by the CPU.
double host_to_host_us(const GpuSpec& spec, uint64_t bytes);

inline double cost_us(const ApiCost& cost, uint64_t bytes) {
  return cost.base_us + cost.per_mb_us * static_cast<double>(bytes) * 1e-6;
}

}  // namespace hpml::sim::timing
