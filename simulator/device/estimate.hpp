#pragma once
// Kernel time where nothing was timed (functional mode): a bound from counts, always labelled as an estimate.
#include <array>
#include <cstdint>

#include "simulator/exec/counters.hpp"
#include "simulator/timing/gpu_spec.hpp"
#include "simulator/timing/occupancy.hpp"

namespace hpml::sim::device {

// Cycles from one instruction of a warp to the next that needs it, by class: what a warp alone takes for its code.
std::array<uint32_t, isa::kLatCount> warp_latencies(const timing::GpuSpec& spec);

// Core cycles: the largest of issue rate, pipe rates, L1 and DRAM bandwidth (every sector counted as a DRAM sector up
// to the distinct bytes nothing is known about), but not less than what one warp after the other needs by latencies.
double estimate_cycles(const exec::Counters& counters, uint64_t blocks, const timing::Occupancy& fit,
                       const timing::GpuSpec& spec);

}  // namespace hpml::sim::device
