#include "simulator/libraries/memory_model.hpp"

#include <algorithm>

namespace hpml::sim::libraries {

device::LibraryKernel memory_kernel(const char* name, int64_t elements, uint64_t read, uint64_t written, Element type,
                                    double flops_per_element) {
  constexpr int64_t kThreads = 256;
  device::LibraryKernel kernel;
  kernel.name = name;
  kernel.grid = {static_cast<uint32_t>(std::max<int64_t>(1, (elements + kThreads - 1) / kThreads)), 1, 1};
  kernel.block = {kThreads, 1, 1};
  kernel.registers = 32;
  kernel.math = type == Element::f64 ? device::Math::fp64 : device::Math::fp32;
  kernel.flops = flops_per_element * static_cast<double>(elements);
  kernel.dram_read = read;
  kernel.dram_write = written;
  kernel.l2 = read + written;
  return kernel;
}

}  // namespace hpml::sim::libraries
