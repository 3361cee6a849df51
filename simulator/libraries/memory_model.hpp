#pragma once
// What a kernel does that reads and writes each element about once: it is bound by memory.
#include "simulator/device/api.hpp"
#include "simulator/libraries/element.hpp"

namespace hpml::sim::libraries {

// One thread per element, in blocks of 256. read, written: bytes, of DRAM and of L2.
device::LibraryKernel memory_kernel(const char* name, int64_t elements, uint64_t read, uint64_t written,
                                    Element type = Element::f32, double flops_per_element = 0);

}  // namespace hpml::sim::libraries
