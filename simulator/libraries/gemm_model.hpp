#pragma once
// What a matrix-product kernel does: C (m x n) += A (m x k) B (k x n), `batch` of them, by tiles that blocks of 256
// threads keep in registers and shared memory.
#include "simulator/device/api.hpp"
#include "simulator/libraries/element.hpp"

namespace hpml::sim::libraries {

struct GemmShape {
  int64_t m = 0, n = 0, k = 0, batch = 1;
};

struct GemmTile {
  int64_t m = 0, n = 0, k = 0;
  double efficiency = 0;  // of the arithmetic rate, in the main loop
};

// The unit that multiplies elements of this type. `tensor_cores`: the program allows them (for float: as TF32).
device::Math math_of(Element element, const device::Rates& rates, bool tensor_cores);
// The tile that wastes least of what it reaches.
GemmTile tile_of(const GemmShape& shape, device::Math math, const device::Rates& rates);
// Name, grid, block, arithmetic and L2 traffic; DRAM traffic is the caller's: it knows where A and B come from.
device::LibraryKernel gemm_kernel(const std::string& name, const GemmShape& shape, Element element, device::Math math,
                                  const device::Properties& chip);
const char* letter_of(Element element, device::Math math);  // s, d, h, s16816, ... as NVIDIA's kernels are called

}  // namespace hpml::sim::libraries
