#pragma once
// The exact metrics of a launch under the names Nsight Compute prints: pure functions of exec::Counters, the same in
// every mode. The one place where a counter gets its name (simulator_timing section 10, "Exact").
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>

#include "simulator/exec/counters.hpp"

namespace hpml::sim::device {

// Sums are integers, ratios and percentages doubles. A ratio without a denominator (no such request) is 0, as the
// profiler prints it. Own counters, of which the profiler has no equal, are named gpusim__*.
nlohmann::ordered_json exact_metrics(const exec::Counters& counters);

// Floating-point operations by precision: add + mul + 2 x fma; those of matrix products by the type of their factors.
struct Flops {
  uint64_t fp16 = 0, fp32 = 0, fp64 = 0;
  std::array<uint64_t, exec::kElementCount> matrix = {};  // by isa::Element; integer types stay 0
  uint64_t tensor() const { return std::accumulate(matrix.begin(), matrix.end(), uint64_t{0}); }
  uint64_t total() const { return fp16 + fp32 + fp64 + tensor(); }
};
Flops flops_of(const exec::Counters& counters);

// Passes through the shared-memory banks, of all operations.
uint64_t shared_wavefronts(const exec::Counters& counters);

// Bytes that left or entered the first-level cache's data stage for global and local memory: 32 per sector.
uint64_t l1_bytes_of(const exec::Counters& counters);

}  // namespace hpml::sim::device
