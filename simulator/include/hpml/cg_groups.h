// thread_block, and thread_group: the handle that any group of one block converts to.
#pragma once

#include "../device_functions.h"

namespace cooperative_groups {

// A shuffle of any trivially copyable value: structures word by word.
#define __HPML_CG_SHUFFLE__(__name) \
  [](unsigned int __m, auto __v, int __lane, int __width) { return __name(__m, __v, __lane, __width); }
template <class __F, class __T>
__HPML_DEVICE__ __T __hpml_shfl(__F __shuffle, unsigned int __mask, const __T& __value, int __lane, int __width) {
  if constexpr (__is_class(__T) || __is_union(__T)) {
    unsigned int __words[(sizeof(__T) + 3) / 4] = {};
    __builtin_memcpy(__words, &__value, sizeof __value);
    for (unsigned int& __word : __words) {
      __word = __shuffle(__mask, __word, __lane, __width);
    }
    __T __result;
    __builtin_memcpy(&__result, __words, sizeof __result);
    return __result;
  } else {
    return __shuffle(__mask, __value, __lane, __width);
  }
}

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
