// Kernels of libraries: how long one takes that does this work, and its entry in metrics.json. Counters that would need
// its code (requests, wavefronts, stalls) are left out: a missing number, never a zero.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulator/device/roofline.hpp"
#include "simulator/device/simulated_device.hpp"

namespace hpml::sim::device {
namespace {

double rate_gflops(const Rates& rates, Math math) {
  switch (math) {
    case Math::fp16: return rates.fp16_gflops;
    case Math::fp32: return rates.fp32_gflops;
    case Math::fp64: return rates.fp64_gflops;
    case Math::tensor_fp16: return rates.tensor_fp16_gflops;
    case Math::tensor_tf32: return rates.tensor_tf32_gflops;
    case Math::tensor_fp64: return rates.tensor_fp64_gflops;
  }
  HPML_CHECK(false, fmt::format("arithmetic {}", static_cast<int>(math)));
}

// Blocks are dealt to multiprocessors one by one: the fullest one decides, and those without a block add nothing.
double filled(uint64_t blocks, uint32_t sms) {
  const double rounds = std::ceil(static_cast<double>(blocks) / sms);
  return static_cast<double>(blocks) / (rounds * sms);
}

Flops flops_of(const LibraryKernel& kernel) {
  const auto count = static_cast<uint64_t>(std::llround(kernel.flops));
  switch (kernel.math) {
    case Math::fp16:
    case Math::tensor_fp16: return {.fp16 = count, .fp32 = 0, .fp64 = 0};
    case Math::fp32:
    case Math::tensor_tf32: return {.fp16 = 0, .fp32 = count, .fp64 = 0};
    case Math::fp64:
    case Math::tensor_fp64: return {.fp16 = 0, .fp32 = 0, .fp64 = count};
  }
  HPML_CHECK(false, fmt::format("arithmetic {}", static_cast<int>(kernel.math)));
}

}  // namespace

// The slowest of arithmetic, DRAM, L2 and other GPUs, after the time a kernel needs to start and to see its first data.
Picoseconds SimulatedDevice::library_time(const LibraryKernel& kernel) const {
  const Rates& rates = properties_.rates;
  const double gflops = rate_gflops(rates, kernel.math);
  HPML_CHECK(kernel.flops == 0 || gflops > 0,
             fmt::format("library kernel {}: the chip lacks its arithmetic", kernel.name));
  const double arithmetic_ns =
      kernel.flops > 0 ? kernel.flops / (gflops * kernel.efficiency * filled(kernel.grid.count(), spec_.topology.sms))
                       : 0;
  const timing::Dram& dram = spec_.dram;
  const double dram_ns = static_cast<double>(kernel.dram_read) / (dram.peak_gbs * dram.read_efficiency) +
                         static_cast<double>(kernel.dram_write) / (dram.peak_gbs * dram.write_efficiency);
  const double l2_ns = static_cast<double>(kernel.l2) / rates.l2_gbs;
  const double start_ns = spec_.api.kernel_fixed_us * 1000.0 + spec_.cycles_to_ns(2.0 * dram.latency_cycles);
  return std::llround((start_ns + std::max({arithmetic_ns, dram_ns, l2_ns, kernel.at_least_ns})) * 1000.0);
}

LaunchResult SimulatedDevice::library_launch(const LibraryKernel& kernel, Picoseconds start) {
  LaunchResult result;
  result.duration = library_time(kernel);
  result.share = kernel.share;
  const double ns = static_cast<double>(result.duration) / 1000.0;
  metrics::Kernel& record = result.record;
  record.name = record.demangled = kernel.name;
  record.library = true;
  record.grid = extents(kernel.grid);
  record.block = extents(kernel.block);
  record.shared_bytes = kernel.shared_bytes;
  record.registers = kernel.registers;
  record.start_us = metrics::microseconds(start);
  record.duration_us = ns / 1000.0;
  record.cycles = std::llround(ns * spec_.clocks.core_mhz / 1000.0);
  record.estimated = true;
  record.metrics = {{"launch__grid_size", kernel.grid.count()},
                    {"launch__block_size", kernel.block.count()},
                    {"launch__registers_per_thread", kernel.registers},
                    {"launch__shared_mem_per_block_static", kernel.shared_bytes},
                    {"gpu__time_duration.sum", ns},
                    {"dram__bytes_read.sum", kernel.dram_read},
                    {"dram__bytes_write.sum", kernel.dram_write},
                    {"lts__t_bytes.sum", kernel.l2}};
  const Traffic traffic{
      .l1_bytes = kernel.l2, .l2_bytes = kernel.l2, .dram_bytes = kernel.dram_read + kernel.dram_write};
  record.roofline = roofline_record(flops_of(kernel), traffic, ns, spec_);
  return result;
}

}  // namespace hpml::sim::device
