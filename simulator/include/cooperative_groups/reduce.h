// cooperative_groups::reduce and its operators.
#pragma once

#include "../cooperative_groups.h"

#if defined(__CUDA__) && defined(__cplusplus)
namespace cooperative_groups {
#define __HPML_CG_OPERATOR__(__name, __expression)                       \
  template <class __T>                                                   \
  struct __name {                                                        \
    __device__ __T operator()(const __T& __a, const __T& __b) const {    \
      return __expression;                                               \
    }                                                                    \
  };
__HPML_CG_OPERATOR__(plus, __a + __b)
__HPML_CG_OPERATOR__(less, __b < __a ? __b : __a)
__HPML_CG_OPERATOR__(greater, __a < __b ? __b : __a)
__HPML_CG_OPERATOR__(bit_and, __a & __b)
__HPML_CG_OPERATOR__(bit_or, __a | __b)
__HPML_CG_OPERATOR__(bit_xor, __a ^ __b)
#undef __HPML_CG_OPERATOR__

// Every thread of the tile gets the result.
template <unsigned int __size, class __P, class __T, class __Op>
__HPML_DEVICE__ __T reduce(const thread_block_tile<__size, __P>& __tile, __T __value, __Op&& __op) {
  for (unsigned int __step = __size / 2; __step > 0; __step /= 2) {
    __value = __op(__value, __tile.shfl_xor(__value, __step));
  }
  return __value;
}
template <class __T, class __Op>
__HPML_DEVICE__ __T reduce(const coalesced_group& __group, __T __value, __Op&& __op) {
  __T __result = __group.shfl(__value, 0);
  for (unsigned int __rank = 1; __rank < __group.size(); ++__rank) {
    __result = __op(__result, __group.shfl(__value, __rank));
  }
  return __result;
}
}  // namespace cooperative_groups
#endif
