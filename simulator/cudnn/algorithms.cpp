#include "simulator/cudnn/algorithms.hpp"

#include "simulator/cudnn/entry.hpp"

namespace hpml::sim::cudnn {

std::optional<Plan> plan_of(const Problem& problem, Algorithm algorithm, const device::Properties& chip) {
  switch (algorithm) {
    case Algorithm::implicit_gemm: return plan_implicit_gemm(problem, chip);
    case Algorithm::implicit_precomp_gemm: return plan_implicit_precomp_gemm(problem, chip);
    case Algorithm::gemm: return plan_gemm(problem, chip);
    case Algorithm::direct: return std::nullopt;  // named in the interface, implemented in no version
    case Algorithm::fft: return plan_fft(problem, chip);
    case Algorithm::fft_tiling: return plan_fft_tiling(problem, chip);
    case Algorithm::winograd: return plan_winograd(problem, chip);
    case Algorithm::winograd_nonfused: return plan_winograd_nonfused(problem, chip);
  }
  return std::nullopt;
}

device::LibraryKernel moving_kernel(const char* name, int64_t elements, uint64_t read, uint64_t written) {
  constexpr int64_t kThreads = 256;
  device::LibraryKernel kernel;
  kernel.name = name;
  kernel.grid = {static_cast<uint32_t>((elements + kThreads - 1) / kThreads), 1, 1};
  kernel.block = {kThreads, 1, 1};
  kernel.registers = 32;
  kernel.dram_read = read;
  kernel.dram_write = written;
  kernel.l2 = read + written;
  return kernel;
}

LibraryKernel elementwise_kernel(const char* name, int64_t elements, uint64_t read, uint64_t written, Element type,
                                 double flops_per_element) {
  LibraryKernel kernel = moving_kernel(name, elements, read, written);
  kernel.math = type == Element::f64 ? device::Math::fp64 : device::Math::fp32;
  kernel.flops = flops_per_element * static_cast<double>(elements);
  return kernel;
}

}  // namespace hpml::sim::cudnn
