#include "common/bench/kernels/table.hpp"

#include <fmt/format.h>

#include "common/base/check.hpp"
#include "common/bench/kernels/levels.hpp"

namespace hpml::bench {

std::vector<const KernelTable*> kernels_here() {
  std::vector<const KernelTable*> result;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    result.push_back(&kAvx512);
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    result.push_back(&kAvx2);
  }
#endif
  result.push_back(&kBaseline);
  return result;
}

uint64_t add_chain(int64_t additions) {
  HPML_CHECK(additions % kAddChainUnit == 0, fmt::format("{} additions", additions));
  uint64_t value = 0, step = 1;
  asm volatile("" : "+r"(step));
  for (int64_t i = 0; i < additions; i += kAddChainUnit) {
    for (int64_t k = 0; k < kAddChainUnit; ++k) {
      value += step;
      asm volatile("" : "+r"(value));  // each addition waits for the one before
    }
  }
  return value;
}

}  // namespace hpml::bench
