// cooperative_groups::inclusive_scan and exclusive_scan.
#pragma once

#include "reduce.h"

#if defined(__CUDA__) && defined(__cplusplus)
namespace cooperative_groups {
template <class __Group, class __T, class __Op>
__HPML_DEVICE__ __T inclusive_scan(const __Group& __group, __T __value, __Op&& __op) {
  const unsigned int __rank = __group.thread_rank();
  for (unsigned int __step = 1; __step < __group.size(); __step *= 2) {
    const __T __before = __group.shfl_up(__value, __step);
    if (__rank >= __step) {
      __value = __op(__before, __value);
    }
  }
  return __value;
}
template <class __Group, class __T>
__HPML_DEVICE__ __T inclusive_scan(const __Group& __group, __T __value) {
  return inclusive_scan(__group, __value, plus<__T>());
}

// The first thread of the group gets a value-initialised __T.
template <class __Group, class __T, class __Op>
__HPML_DEVICE__ __T exclusive_scan(const __Group& __group, __T __value, __Op&& __op) {
  const __T __before = __group.shfl_up(inclusive_scan(__group, __value, __op), 1);
  return __group.thread_rank() == 0 ? __T() : __before;
}
template <class __Group, class __T>
__HPML_DEVICE__ __T exclusive_scan(const __Group& __group, __T __value) {
  return exclusive_scan(__group, __value, plus<__T>());
}
}  // namespace cooperative_groups
#endif
