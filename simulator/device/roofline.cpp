#include "simulator/device/roofline.hpp"

#include "common/models/roofline.hpp"

namespace hpml::sim::device {
namespace {

// A warp instruction of the class does 32 lanes x `flops_per_lane` every `interval` cycles on each pipe.
double peak_gflops(const timing::GpuSpec& spec, isa::Lat lat, double flops_per_lane, double pipes_per_sm) {
  const double flop_per_cycle = isa::kWarpSize * flops_per_lane / spec.of(lat).interval;
  return models::peak_gflops(spec.topology.sms * pipes_per_sm, flop_per_cycle, spec.clocks.core_mhz / 1000.0);
}

double gbs(const timing::GpuSpec& spec, double bytes_per_cycle) {
  return bytes_per_cycle * spec.clocks.core_mhz / 1000.0;
}

double tensor_rate(const timing::GpuSpec& spec, isa::Element type) {
  return models::peak_gflops(spec.topology.sms, 2 * spec.tensor.of(type), spec.clocks.core_mhz / 1000.0);
}

// Of the mix of types that was multiplied: all of it at each type's rate. Without any: of half precision, if the chip
// has it. 0: no such units.
double tensor_gflops(const timing::GpuSpec& spec, const Flops& flops) {
  double seconds = 0;  // times 10^9
  for (size_t i = 0; i < flops.matrix.size(); ++i) {
    const double rate = tensor_rate(spec, static_cast<isa::Element>(i));
    if (flops.matrix[i] > 0 && rate > 0) {
      seconds += static_cast<double>(flops.matrix[i]) / rate;
    }
  }
  return seconds > 0 ? static_cast<double>(flops.tensor()) / seconds : tensor_rate(spec, isa::Element::f16);
}

struct Level {
  std::string_view name, rate;
};
constexpr Level kDram{"dram", "dram_gbs"}, kL2{"l2", "l2_gbs"}, kL1{"l1", "l1_gbs"};

void add_level(metrics::Roofline& roofline, const Level& level, uint64_t bytes, const Flops& flops,
               double duration_ns) {
  roofline.bytes.push_back({level.name, bytes});
  if (bytes != 0) {
    roofline.arithmetic_intensity.push_back(
        {level.name, models::arithmetic_intensity(static_cast<double>(flops.total()), static_cast<double>(bytes))});
  }
  if (duration_ns > 0) {
    roofline.achieved.push_back({level.rate, static_cast<double>(bytes) / duration_ns});
  }
}

}  // namespace

Ceilings ceilings_of(const timing::GpuSpec& spec) {
  const double partitions = spec.topology.sub_partitions;
  return {.fp16_gflops = peak_gflops(spec, isa::Lat::fp16, 4, partitions),  // fused multiply-add on pairs
          .fp32_gflops = peak_gflops(spec, isa::Lat::fp32, 2, partitions),
          .fp64_gflops = peak_gflops(spec, isa::Lat::fp64, 2, spec.core.fp64_pipe_per_sm ? 1 : partitions),
          .dram_gbs = spec.dram.peak_gbs,
          .l2_gbs = gbs(spec, spec.l2.slices * spec.l2.slice_bytes_per_cycle),
          .l1_gbs = gbs(spec, static_cast<double>(spec.topology.sms) * spec.l1.bytes_per_cycle)};
}

metrics::Roofline roofline_record(const Flops& flops, const Traffic& traffic, double duration_ns,
                                  const timing::GpuSpec& spec) {
  metrics::Roofline roofline;
  roofline.flops = {{"fp16", flops.fp16},
                    {"fp32", flops.fp32},
                    {"fp64", flops.fp64},
                    {"tensor", flops.tensor()},
                    {"total", flops.total()}};
  const Ceilings c = ceilings_of(spec);
  roofline.ceilings = {{"fp16_gflops", c.fp16_gflops}, {"fp32_gflops", c.fp32_gflops}, {"fp64_gflops", c.fp64_gflops},
                       {"dram_gbs", c.dram_gbs},       {"l2_gbs", c.l2_gbs},           {"l1_gbs", c.l1_gbs}};
  if (const double tensor = tensor_gflops(spec, flops); tensor > 0) {
    roofline.ceilings.push_back({"tensor_gflops", tensor});
  }
  if (duration_ns > 0) {
    roofline.achieved.push_back({"gflops", static_cast<double>(flops.total()) / duration_ns});
  }
  if (traffic.dram_bytes) {
    add_level(roofline, kDram, *traffic.dram_bytes, flops, duration_ns);
  }
  if (traffic.l2_bytes) {
    add_level(roofline, kL2, *traffic.l2_bytes, flops, duration_ns);
  }
  add_level(roofline, kL1, traffic.l1_bytes, flops, duration_ns);
  return roofline;
}

}  // namespace hpml::sim::device
