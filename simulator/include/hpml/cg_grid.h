// grid_group: all blocks of a cooperative launch. The runtime gives such a launch a zeroed workspace
// {u32 size, u32 barrier} and puts its address into %envreg1 (high) and %envreg2 (low).
#pragma once

#include "cg_groups.h"

namespace cooperative_groups {

class grid_group {
 public:
  struct arrival_token {
    unsigned int __old;
  };

  __device__ bool is_valid() const { return __workspace() != 0; }
  __device__ unsigned long long num_threads() const { return num_blocks() * thread_block::size(); }
  __device__ unsigned long long size() const { return num_threads(); }
  __device__ unsigned long long thread_rank() const {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  __device__ unsigned long long num_blocks() const {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  __device__ unsigned long long block_rank() const {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ dim3 group_dim() const { return gridDim; }
  __device__ dim3 dim_blocks() const { return gridDim; }
  __device__ dim3 block_index() const { return blockIdx; }

  __device__ dim3 thread_index() const { return threadIdx; }

  __device__ void sync() const { barrier_wait(barrier_arrive()); }
  // Block 0 adds what the other blocks leave short of 2^31, so the top bit flips exactly when all have arrived, and
  // the counter needs no reset between barriers.
  __device__ arrival_token barrier_arrive() const {
    if (!is_valid()) {
      __trap();
    }
    arrival_token __token = {0};
    __hpml_barrier_sync();
    if (thread_block::thread_rank() == 0) {
      const unsigned int __others = static_cast<unsigned int>(num_blocks()) - 1;
      const unsigned int __step = block_rank() == 0 ? 0x80000000u - __others : 1u;
      __threadfence();
      __token.__old = atomicAdd(__barrier(), __step);
    }
    return __token;
  }
  __device__ void barrier_wait(arrival_token&& __token) const {
    if (thread_block::thread_rank() == 0) {
      const volatile unsigned int* const __now = __barrier();
      while (((__token.__old ^ *__now) & 0x80000000u) == 0) {
      }
      __threadfence();
    }
    __hpml_barrier_sync();
  }

 private:
  __device__ static unsigned int* __barrier() { return reinterpret_cast<unsigned int*>(__workspace() + 4); }
  __device__ static unsigned long long __workspace() {
    unsigned int __high, __low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(__high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(__low));
    return (static_cast<unsigned long long>(__high) << 32) | __low;
  }
};

__HPML_DEVICE__ grid_group this_grid() { return grid_group(); }

}  // namespace cooperative_groups
