// Parts of a warp's groups by a value that each thread has, and work that one thread of a group does.
#pragma once

#include "cg_coalesced.h"
#include "cg_tile.h"

namespace cooperative_groups {

// Threads with the same label. Groups are ranked by their lowest threads.
template <class __Group, class __Label>
__HPML_DEVICE__ coalesced_group labeled_partition(const __Group& __group, __Label __label) {
  const unsigned int __all = __group.__lanes();
  const unsigned int __mine = __match_any_sync(__all, __label);
  const unsigned int __leaders = __ballot_sync(__all, (__mine & ((1u << __nvvm_read_ptx_sreg_laneid()) - 1)) == 0);
  const unsigned int __lowest = __mine & (0u - __mine);
  return coalesced_group(__mine, __popc(__leaders & (__lowest - 1)), __popc(__leaders));
}

template <class __Group>
__HPML_DEVICE__ coalesced_group binary_partition(const __Group& __group, bool __predicate) {
  const unsigned int __all = __group.__lanes();
  const unsigned int __yes = __ballot_sync(__all, __predicate);
  const unsigned int __groups = __yes == 0 || __yes == __all ? 1 : 2;
  return coalesced_group(__predicate ? __yes : __all & ~__yes, __predicate ? 0 : __groups - 1, __groups);
}

__HPML_DEVICE__ coalesced_group tiled_partition(const coalesced_group& __group, unsigned int __size) {
  const unsigned int __all = __group.__lanes();
  const unsigned int __tile = __group.thread_rank() / __size;
  const unsigned int __mine = __match_any_sync(__all, __tile);
  return coalesced_group(__mine, __tile, (__group.size() + __size - 1) / __size);
}

// Thread 0 of the group calls the function.
template <class __Group, class __F, class... __Args>
__HPML_DEVICE__ void invoke_one(const __Group& __group, __F&& __function, __Args&&... __args) {
  if (__group.thread_rank() == 0) {
    static_cast<__F&&>(__function)(static_cast<__Args&&>(__args)...);
  }
}
// The same, and all threads of the group (lanes of one warp) get the result.
template <class __Group, class __F, class... __Args>
__HPML_DEVICE__ auto invoke_one_broadcast(const __Group& __group, __F&& __function, __Args&&... __args)
    -> decltype(__function(__args...)) {
  decltype(__function(__args...)) __result = {};
  if (__group.thread_rank() == 0) {
    __result = static_cast<__F&&>(__function)(static_cast<__Args&&>(__args)...);
  }
  return __group.shfl(__result, 0);
}

}  // namespace cooperative_groups
