// bfloat16: the upper half of a float. Storage, conversions, arithmetic, comparisons, and pairs.
#pragma once

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "hpml/bfloat.h"
#include "hpml/half_conversions.h"
#include "hpml/half_lanes.h"

#ifdef __CUDA__
__HPML_ALL_TO_INTEGERS__(__nv_bfloat16, __bfloat16)
__HPML_FROM_INTEGERS__(__nv_bfloat16, bfloat16)
__HPML_SHORT_MORE__(__nv_bfloat16)
__HPML_PAIR_MORE__(__nv_bfloat162)
#define __HPML_TO_INT__(__r) \
  __HPML_DEVICE__ int __bfloat162int_##__r(__nv_bfloat16 __v) { return __float2int_##__r(static_cast<float>(__v)); }
__HPML_TO_INT__(rn)
__HPML_TO_INT__(rz)
__HPML_TO_INT__(rd)
__HPML_TO_INT__(ru)
#undef __HPML_TO_INT__
__HPML_SHORT_SHUFFLES__(__nv_bfloat16)
__HPML_SHORT_SHUFFLES__(__nv_bfloat162)
__HPML_ADD_BY_EXCHANGE__(__nv_bfloat16, unsigned short, __hadd(__old, __v))
__HPML_ADD_BY_EXCHANGE__(__nv_bfloat162, unsigned int, __hadd2(__old, __v))
#endif
#endif
