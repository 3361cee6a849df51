// Half precision: storage, conversions, arithmetic, comparisons, and pairs of halves.
#pragma once

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "hpml/half_convert.h"
#include "hpml/half_arithmetic.h"
#include "hpml/half2.h"
#include "hpml/half2_more.h"
#include "hpml/half_conversions.h"
#include "hpml/half_lanes.h"

#ifdef __CUDA__
__HPML_ALL_TO_INTEGERS__(__half, __half)
__HPML_FROM_INTEGERS__(__half, half)
__HPML_SHORT_MORE__(__half)
__HPML_PAIR_MORE__(__half2)
#define __HPML_HALF_ROUNDED__(__name, __mode)                         \
  __HPML_DEVICE__ __half __float2half_##__name(float __v) {           \
    unsigned short __r;                                               \
    asm("cvt." __mode ".f16.f32 %0, %1;" : "=h"(__r) : "f"(__v));     \
    return __half(__half_raw{__r});                                   \
  }
__HPML_HALF_ROUNDED__(rz, "rz")
__HPML_HALF_ROUNDED__(rd, "rm")
__HPML_HALF_ROUNDED__(ru, "rp")
#undef __HPML_HALF_ROUNDED__
__HPML_DEVICE__ int __half2int_rd(__half __v) { return __float2int_rd(static_cast<float>(__v)); }
__HPML_DEVICE__ int __half2int_ru(__half __v) { return __float2int_ru(static_cast<float>(__v)); }
__HPML_SHORT_SHUFFLES__(__half)
__HPML_SHORT_SHUFFLES__(__half2)
__HPML_DEVICE__ __half atomicAdd(__half* __p, __half __v) {
  unsigned short __old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(__old) : "l"(__p), "h"(__v.__x) : "memory");
  return __half(__half_raw{__old});
}
__HPML_DEVICE__ __half2 atomicAdd(__half2* __p, __half2 __v) {
  unsigned int __old, __bits;
  __builtin_memcpy(&__bits, &__v, sizeof __bits);
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(__old) : "l"(__p), "r"(__bits) : "memory");
  __builtin_memcpy(&__v, &__old, sizeof __v);
  return __v;
}
#endif
#endif
