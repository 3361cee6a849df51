// coalesced_group: the threads of a warp that execute a statement together.
#pragma once

#include "cg_groups.h"

namespace cooperative_groups {

class coalesced_group {
 public:
  __device__ explicit coalesced_group(unsigned int __mask, unsigned int __meta_rank = 0, unsigned int __meta_size = 1)
      : __mask_(__mask), __meta_rank_(__meta_rank), __meta_size_(__meta_size) {}
  __device__ void sync() const { __syncwarp(__mask_); }
  __device__ unsigned int size() const { return __popc(__mask_); }
  __device__ unsigned int num_threads() const { return size(); }
  __device__ unsigned int thread_rank() const {
    return __popc(__mask_ & ((1u << __nvvm_read_ptx_sreg_laneid()) - 1));
  }
  __device__ bool is_valid() const { return true; }
  // Among the groups that a partition has made.
  __device__ unsigned int meta_group_rank() const { return __meta_rank_; }
  __device__ unsigned int meta_group_size() const { return __meta_size_; }

  template <class __T>
  __device__ __T shfl(__T __value, unsigned int __rank) const {
    return __hpml_shfl(__HPML_CG_SHUFFLE__(__shfl_sync), __mask_, __value, __lane_of(__rank % size()), 32);
  }
  // Beyond either end a thread keeps its own value, as in a warp shuffle.
  template <class __T>
  __device__ __T shfl_up(__T __value, unsigned int __delta) const {
    const unsigned int __rank = thread_rank();
    return __hpml_shfl(__HPML_CG_SHUFFLE__(__shfl_sync), __mask_, __value, __lane_of(__rank < __delta ? __rank : __rank - __delta), 32);
  }
  template <class __T>
  __device__ __T shfl_down(__T __value, unsigned int __delta) const {
    const unsigned int __rank = thread_rank();
    return __hpml_shfl(__HPML_CG_SHUFFLE__(__shfl_sync), __mask_, __value, __lane_of(__rank + __delta >= size() ? __rank : __rank + __delta), 32);
  }
  __device__ int any(int __p) const { return __any_sync(__mask_, __p); }
  __device__ int all(int __p) const { return __all_sync(__mask_, __p); }
  __device__ unsigned int ballot(int __p) const { return __pack(__ballot_sync(__mask_, __p)); }
  template <class __T>
  __device__ unsigned int match_any(__T __value) const {
    return __pack(__match_any_sync(__mask_, __value));
  }
  template <class __T>
  __device__ unsigned int match_all(__T __value, int& __p) const {
    return __pack(__match_all_sync(__mask_, __value, &__p));
  }
  __device__ operator thread_group() const { return thread_group(__mask_, thread_rank(), size()); }
  __device__ unsigned int __lanes() const { return __mask_; }

 private:
  __device__ int __lane_of(unsigned int __rank) const {
    unsigned int __rest = __mask_;
    for (; __rank > 0; --__rank) {
      __rest &= __rest - 1;
    }
    return __ffs(static_cast<int>(__rest)) - 1;
  }
  // Bit i of the result belongs to the thread of rank i.
  __device__ unsigned int __pack(unsigned int __lanes) const {
    unsigned int __packed = 0;
    unsigned int __bit = 1;
    for (unsigned int __rest = __mask_; __rest != 0; __rest &= __rest - 1, __bit <<= 1) {
      __packed |= (__lanes & __rest & (0u - __rest)) != 0 ? __bit : 0u;
    }
    return __packed;
  }
  unsigned int __mask_, __meta_rank_, __meta_size_;
};

__HPML_DEVICE__ coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

}  // namespace cooperative_groups
