#pragma once
// malloc and free of device code. Every block is an allocation of its own, so that an overrun inside the heap is
// caught like any other; the limit is what the runtime sets aside (cudaLimitMallocHeapSize).
#include <cstdint>

#include "simulator/memory/address_space.hpp"

namespace hpml::sim::device {

class InKernelHeap {
 public:
  InKernelHeap(memory::AddressSpace& memory, uint64_t limit_bytes) : memory_(memory), limit_(limit_bytes) {}
  uint64_t allocate(uint64_t bytes);  // 0 when the heap is full, as malloc returns NULL
  bool free(uint64_t address);        // false: not a block of this heap
  // False: something is allocated, so that the size is fixed (CUDA runtime API, cudaDeviceSetLimit).
  bool resize(uint64_t limit_bytes);

 private:
  memory::AddressSpace& memory_;
  uint64_t limit_, used_ = 0;
};

}  // namespace hpml::sim::device
