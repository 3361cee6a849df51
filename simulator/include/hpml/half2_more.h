// half2: comparisons, functions of each half, rearrangements, and operators that assign.
#pragma once

#include "half2.h"

__HPML_BOTH__ __half2 __hneg2(__half2 __a) { return __half2(__hneg(__a.x), __hneg(__a.y)); }
__HPML_BOTH__ __half2 __habs2(__half2 __a) { return __half2(__habs(__a.x), __habs(__a.y)); }
__HPML_BOTH__ __half2 operator-(__half2 __a) { return __hneg2(__a); }
__HPML_BOTH__ __half2 __low2half2(__half2 __a) { return __half2(__a.x, __a.x); }
__HPML_BOTH__ __half2 __high2half2(__half2 __a) { return __half2(__a.y, __a.y); }
__HPML_BOTH__ __half2 __lowhigh2highlow(__half2 __a) { return __half2(__a.y, __a.x); }
__HPML_BOTH__ __half2 __lows2half2(__half2 __a, __half2 __b) { return __half2(__a.x, __b.x); }
__HPML_BOTH__ __half2 __highs2half2(__half2 __a, __half2 __b) { return __half2(__a.y, __b.y); }

// 1 or 0 in each half, whether both hold, and all bits or none in each half.
#define __HPML_HALF2_COMPARE__(__op)                                                                                 \
  __HPML_BOTH__ __half2 __h##__op##2(__half2 __a, __half2 __b) {                                                     \
    return __half2(__half(__h##__op(__a.x, __b.x) ? 1.0f : 0.0f), __half(__h##__op(__a.y, __b.y) ? 1.0f : 0.0f));    \
  }                                                                                                                  \
  __HPML_BOTH__ bool __hb##__op##2(__half2 __a, __half2 __b) {                                                       \
    return __h##__op(__a.x, __b.x) && __h##__op(__a.y, __b.y);                                                       \
  }                                                                                                                  \
  __HPML_BOTH__ unsigned int __h##__op##2_mask(__half2 __a, __half2 __b) {                                           \
    return (__h##__op(__a.x, __b.x) ? 0xffffu : 0u) | (__h##__op(__a.y, __b.y) ? 0xffff0000u : 0u);                  \
  }
__HPML_HALF2_COMPARE__(eq)
__HPML_HALF2_COMPARE__(ne)
__HPML_HALF2_COMPARE__(lt)
__HPML_HALF2_COMPARE__(le)
__HPML_HALF2_COMPARE__(gt)
__HPML_HALF2_COMPARE__(ge)
#undef __HPML_HALF2_COMPARE__
__HPML_BOTH__ bool operator==(__half2 __a, __half2 __b) { return __hbeq2(__a, __b); }
__HPML_BOTH__ bool operator!=(__half2 __a, __half2 __b) { return __hbne2(__a, __b); }

__HPML_BOTH__ __half2& operator+=(__half2& __a, __half2 __b) { return __a = __hadd2(__a, __b); }
__HPML_BOTH__ __half2& operator-=(__half2& __a, __half2 __b) { return __a = __hsub2(__a, __b); }
__HPML_BOTH__ __half2& operator*=(__half2& __a, __half2 __b) { return __a = __hmul2(__a, __b); }
__HPML_BOTH__ __half2& operator/=(__half2& __a, __half2 __b) { return __a = __h2div(__a, __b); }

#ifdef __CUDA__
#define __HPML_HALF2_MATH__(__name) \
  __HPML_DEVICE__ __half2 h2##__name(__half2 __a) { return __half2(h##__name(__a.x), h##__name(__a.y)); }
__HPML_HALF2_MATH__(sqrt)
__HPML_HALF2_MATH__(rsqrt)
__HPML_HALF2_MATH__(rcp)
__HPML_HALF2_MATH__(exp)
__HPML_HALF2_MATH__(exp2)
__HPML_HALF2_MATH__(exp10)
__HPML_HALF2_MATH__(log)
__HPML_HALF2_MATH__(log2)
__HPML_HALF2_MATH__(log10)
__HPML_HALF2_MATH__(sin)
__HPML_HALF2_MATH__(cos)
__HPML_HALF2_MATH__(floor)
__HPML_HALF2_MATH__(ceil)
__HPML_HALF2_MATH__(trunc)
__HPML_HALF2_MATH__(rint)
#undef __HPML_HALF2_MATH__
#endif
