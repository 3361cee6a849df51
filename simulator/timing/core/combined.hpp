#pragma once
// Atomics that machine code carries out for a whole warp at once (ir::Combine).
#include <bit>

#include "simulator/exec/effects.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

inline constexpr uint64_t kCombiningShuffles = 5;  // of 32 lanes: a tree, or a running sum

// Whether the executed instruction is one. Where lanes differ after all, or a sum by shuffles lacks lanes, each asks
// for itself.
inline bool combines(const exec::Effects& effects) {
  if (effects.inst == nullptr || !effects.access.is_atomic || effects.inst->combine == ir::Combine::none ||
      effects.access.same_address != std::popcount(effects.access.active)) {
    return false;
  }
  return effects.inst->combine == ir::Combine::elect || effects.access.active == isa::kFullMask;
}

inline bool reduces_in_one(const GpuSpec& spec) { return spec.identity.cc_major >= 8; }  // REDUX

// Cycles from the instruction to the one lane's request, on top of its helpers' issue.
inline uint64_t cycles_to_combine(const GpuSpec& spec, ir::Combine how) {
  const uint64_t step = spec.of(isa::Lat::shuffle).latency + spec.of(isa::Lat::int_alu).latency;
  switch (how) {
    case ir::Combine::none:
    case ir::Combine::elect: return 0;
    case ir::Combine::reduce: return reduces_in_one(spec) ? spec.of(isa::Lat::popc).latency : kCombiningShuffles * step;
    case ir::Combine::scan: return kCombiningShuffles * step;
  }
  return 0;
}

}  // namespace hpml::sim::timing
