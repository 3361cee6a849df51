// thread_block_tile<N>: N neighbouring threads of one warp, N a power of two up to 32.
#pragma once

#include "cg_groups.h"

namespace cooperative_groups {

template <unsigned int __size, class __Parent = void>
class thread_block_tile {
  static_assert(__size > 0 && __size <= 32 && (__size & (__size - 1)) == 0, "tile size: 1, 2, 4, 8, 16 or 32");

 public:
  thread_block_tile() = default;
  // A tile's parent is part of its type; programs write thread_block_tile<32> for any.
  template <class __OtherParent>
  __device__ thread_block_tile(const thread_block_tile<__size, __OtherParent>&) {}

  __device__ static void sync() { __syncwarp(__mask()); }
  __device__ static unsigned int thread_rank() { return thread_block::thread_rank() % __size; }
  __device__ static constexpr unsigned int size() { return __size; }
  __device__ static constexpr unsigned int num_threads() { return __size; }
  __device__ static unsigned int meta_group_rank() { return thread_block::thread_rank() / __size; }
  __device__ static unsigned int meta_group_size() { return (thread_block::size() + __size - 1) / __size; }
  __device__ static bool is_valid() { return true; }

  template <class __T>
  __device__ static __T shfl(__T __value, int __rank) {
    return __hpml_shfl(__HPML_CG_SHUFFLE__(__shfl_sync), __mask(), __value, __rank, __size);
  }
  template <class __T>
  __device__ static __T shfl_up(__T __value, unsigned int __delta) {
    return __hpml_shfl(__HPML_CG_SHUFFLE__(__shfl_up_sync), __mask(), __value, __delta, __size);
  }
  template <class __T>
  __device__ static __T shfl_down(__T __value, unsigned int __delta) {
    return __hpml_shfl(__HPML_CG_SHUFFLE__(__shfl_down_sync), __mask(), __value, __delta, __size);
  }
  template <class __T>
  __device__ static __T shfl_xor(__T __value, unsigned int __lanes) {
    return __hpml_shfl(__HPML_CG_SHUFFLE__(__shfl_xor_sync), __mask(), __value, __lanes, __size);
  }
  __device__ static int any(int __p) { return __any_sync(__mask(), __p); }
  __device__ static int all(int __p) { return __all_sync(__mask(), __p); }
  __device__ static unsigned int ballot(int __p) { return __ballot_sync(__mask(), __p) >> __first_lane(); }
  template <class __T>
  __device__ static unsigned int match_any(__T __value) {
    return __match_any_sync(__mask(), __value) >> __first_lane();
  }
  template <class __T>
  __device__ static unsigned int match_all(__T __value, int& __p) {
    return __match_all_sync(__mask(), __value, &__p) >> __first_lane();
  }
  __device__ operator thread_group() const { return thread_group(__mask(), thread_rank(), __size); }
  __device__ static unsigned int __lanes() { return __mask(); }

 private:
  __device__ static unsigned int __first_lane() { return __nvvm_read_ptx_sreg_laneid() & ~(__size - 1); }
  __device__ static unsigned int __mask() { return (0xffffffffu >> (32 - __size)) << __first_lane(); }
};

template <unsigned int __size, class __Parent>
__HPML_DEVICE__ thread_block_tile<__size, __Parent> tiled_partition(const __Parent&) {
  return thread_block_tile<__size, __Parent>();
}

// The form with a size known only at run time.
__HPML_DEVICE__ thread_group tiled_partition(const thread_group& __parent, unsigned int __size) {
  const unsigned int __lane = __nvvm_read_ptx_sreg_laneid();
  const unsigned int __mask = (0xffffffffu >> (32 - __size)) << (__lane & ~(__size - 1));
  return thread_group(__mask, __parent.thread_rank() % __size, __size);
}

}  // namespace cooperative_groups
