// thread_block, and thread_group: the handle that any group of one block converts to.
#pragma once

#include "../device_functions.h"

namespace cooperative_groups {

// Lanes of a warp, or the whole block when the mask is zero.
class thread_group {
 public:
  __device__ thread_group(unsigned int __mask, unsigned int __rank, unsigned int __size)
      : __mask_(__mask), __rank_(__rank), __size_(__size) {}
  __device__ unsigned int thread_rank() const { return __rank_; }
  __device__ unsigned int size() const { return __size_; }
  __device__ unsigned int num_threads() const { return __size_; }
  __device__ bool is_valid() const { return true; }
  __device__ void sync() const {
    if (__mask_ == 0) {
      __hpml_barrier_sync();
    } else {
      __syncwarp(__mask_);
    }
  }

 private:
  unsigned int __mask_, __rank_, __size_;
};

class thread_block {
 public:
  struct arrival_token {};

  __device__ static void sync() { __hpml_barrier_sync(); }
  // A block has one barrier, and a thread that has arrived at it must wait at it: the wait does both.
  __device__ static arrival_token barrier_arrive() { return {}; }
  __device__ static void barrier_wait() { __hpml_barrier_sync(); }
  __device__ static void barrier_wait(arrival_token&&) { __hpml_barrier_sync(); }
  __device__ static unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned int num_threads() { return size(); }
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_threads() { return blockDim; }
  __device__ static bool is_valid() { return true; }
  __device__ operator thread_group() const { return thread_group(0, thread_rank(), size()); }
};

__HPML_DEVICE__ thread_block this_thread_block() { return thread_block(); }

template <class __Group>
__HPML_DEVICE__ void sync(const __Group& __group) {
  __group.sync();
}
template <class __Group>
__HPML_DEVICE__ unsigned int thread_rank(const __Group& __group) {
  return __group.thread_rank();
}
template <class __Group>
__HPML_DEVICE__ unsigned int group_size(const __Group& __group) {
  return __group.size();
}

}  // namespace cooperative_groups
