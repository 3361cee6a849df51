#include "simulator/cudnn/algorithms.hpp"

#include "simulator/cudnn/entry.hpp"
#include "simulator/libraries/memory_model.hpp"

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
  return libraries::memory_kernel(name, elements, read, written);
}

LibraryKernel elementwise_kernel(const char* name, int64_t elements, uint64_t read, uint64_t written, Element type,
                                 double flops_per_element) {
  return libraries::memory_kernel(name, elements, read, written, type, flops_per_element);
}

}  // namespace hpml::sim::cudnn
