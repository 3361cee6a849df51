#pragma once
// The roofline block of a kernel record: work, traffic per level, what the GPU file allows, what was reached.
#include <optional>

#include "simulator/device/formulas.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::device {

// Rates a GPU cannot exceed: GFLOP/s and GB/s, from clocks, intervals and widths of its file.
struct Ceilings {
  double fp16_gflops = 0, fp32_gflops = 0, fp64_gflops = 0;
  double dram_gbs = 0, l2_gbs = 0, l1_gbs = 0;
};
Ceilings ceilings_of(const timing::GpuSpec& spec);

struct Traffic {
  uint64_t l1_bytes = 0;                         // exact
  std::optional<uint64_t> l2_bytes, dram_bytes;  // known where the caches were modelled
};

// Absent traffic leaves its figures out: a missing number, never a zero.
metrics::Roofline roofline_record(const Flops& flops, const Traffic& traffic, double duration_ns,
                                  const timing::GpuSpec& spec);

}  // namespace hpml::sim::device
