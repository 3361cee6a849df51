// Arithmetic on halves, each operation rounded once. The host computes in float: with 24 bits against 11, rounding
// twice gives the same half for + - * / (Figueroa, "When is double rounding innocuous?"); fma goes
// through double, where product and sum are exact or far from a tie.
#pragma once

#include "../math_functions.h"
#include "half_convert.h"

#define __HPML_HALF_2__(__name, __ptx, __operator)                                           \
  __HPML_BOTH__ __half __name(__half __a, __half __b) {                                      \
    __HPML_HALF_BODY__(__ptx, __half(__half2float(__a) __operator __half2float(__b)))        \
  }
#ifdef __CUDA_ARCH__
#define __HPML_HALF_BODY__(__ptx, __host)                                                    \
  unsigned short __r;                                                                        \
  asm(__ptx " %0, %1, %2;" : "=h"(__r) : "h"(__a.__x), "h"(__b.__x));                        \
  return __half(__half_raw{__r});
#else
#define __HPML_HALF_BODY__(__ptx, __host) return __host;
#endif
__HPML_HALF_2__(__hadd, "add.rn.f16", +)
__HPML_HALF_2__(__hsub, "sub.rn.f16", -)
__HPML_HALF_2__(__hmul, "mul.rn.f16", *)
#undef __HPML_HALF_2__
#undef __HPML_HALF_BODY__

__HPML_BOTH__ __half __hdiv(__half __a, __half __b) { return __half(__half2float(__a) / __half2float(__b)); }
__HPML_BOTH__ __half __hneg(__half __a) {
  return __half(__half_raw{static_cast<unsigned short>(__a.__x ^ 0x8000u)});
}
__HPML_BOTH__ __half __habs(__half __a) {
  return __half(__half_raw{static_cast<unsigned short>(__a.__x & 0x7fffu)});
}
__HPML_BOTH__ __half __hfma(__half __a, __half __b, __half __c) {
#ifdef __CUDA_ARCH__
  unsigned short __r;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(__r) : "h"(__a.__x), "h"(__b.__x), "h"(__c.__x));
  return __half(__half_raw{__r});
#else
  const double __product = static_cast<double>(__half2float(__a)) * __half2float(__b);
  return __half(__half_raw{__hpml_host_to_half(__product + __half2float(__c))});
#endif
}

#define __HPML_HALF_COMPARE__(__name, __operator) \
  __HPML_BOTH__ bool __name(__half __a, __half __b) { return __half2float(__a) __operator __half2float(__b); }
__HPML_HALF_COMPARE__(__heq, ==)
__HPML_HALF_COMPARE__(__hne, !=)
__HPML_HALF_COMPARE__(__hlt, <)
__HPML_HALF_COMPARE__(__hle, <=)
__HPML_HALF_COMPARE__(__hgt, >)
__HPML_HALF_COMPARE__(__hge, >=)
__HPML_HALF_COMPARE__(operator==, ==)
__HPML_HALF_COMPARE__(operator!=, !=)
__HPML_HALF_COMPARE__(operator<, <)
__HPML_HALF_COMPARE__(operator<=, <=)
__HPML_HALF_COMPARE__(operator>, >)
__HPML_HALF_COMPARE__(operator>=, >=)
#undef __HPML_HALF_COMPARE__
__HPML_BOTH__ bool __hisnan(__half __a) { return (__a.__x & 0x7fffu) > 0x7c00u; }
__HPML_BOTH__ int __hisinf(__half __a) {
  return (__a.__x & 0x7fffu) == 0x7c00u ? ((__a.__x & 0x8000u) != 0 ? -1 : 1) : 0;
}
__HPML_BOTH__ __half __hmax(__half __a, __half __b) { return __hisnan(__a) || __a < __b ? __b : __a; }
__HPML_BOTH__ __half __hmin(__half __a, __half __b) { return __hisnan(__a) || __b < __a ? __b : __a; }

__HPML_BOTH__ __half operator+(__half __a, __half __b) { return __hadd(__a, __b); }
__HPML_BOTH__ __half operator-(__half __a, __half __b) { return __hsub(__a, __b); }
__HPML_BOTH__ __half operator*(__half __a, __half __b) { return __hmul(__a, __b); }
__HPML_BOTH__ __half operator/(__half __a, __half __b) { return __hdiv(__a, __b); }
__HPML_BOTH__ __half operator-(__half __a) { return __hneg(__a); }
__HPML_BOTH__ __half& operator+=(__half& __a, __half __b) { return __a = __hadd(__a, __b); }
__HPML_BOTH__ __half& operator-=(__half& __a, __half __b) { return __a = __hsub(__a, __b); }
__HPML_BOTH__ __half& operator*=(__half& __a, __half __b) { return __a = __hmul(__a, __b); }
__HPML_BOTH__ __half& operator/=(__half& __a, __half __b) { return __a = __hdiv(__a, __b); }

// Kept within 0 and 1.
__HPML_BOTH__ __half __hpml_saturated(__half __a) {
  const float __v = __half2float(__a);
  return __v >= 1.0f ? __half(1.0f) : __v > 0.0f ? __a : __half(0.0f);
}
__HPML_BOTH__ __half __hadd_sat(__half __a, __half __b) { return __hpml_saturated(__hadd(__a, __b)); }
__HPML_BOTH__ __half __hsub_sat(__half __a, __half __b) { return __hpml_saturated(__hsub(__a, __b)); }
__HPML_BOTH__ __half __hmul_sat(__half __a, __half __b) { return __hpml_saturated(__hmul(__a, __b)); }
__HPML_BOTH__ __half __hfma_sat(__half __a, __half __b, __half __c) { return __hpml_saturated(__hfma(__a, __b, __c)); }

#ifdef __CUDA__
#define __HPML_HALF_MATH__(__name, __float) \
  __HPML_DEVICE__ __half __name(__half __a) { return __half(__float(__half2float(__a))); }
__HPML_HALF_MATH__(hsqrt, ::sqrtf)
__HPML_HALF_MATH__(hrsqrt, ::rsqrtf)
__HPML_HALF_MATH__(hexp, ::expf)
__HPML_HALF_MATH__(hexp2, ::exp2f)
__HPML_HALF_MATH__(hexp10, ::exp10f)
__HPML_HALF_MATH__(hlog, ::logf)
__HPML_HALF_MATH__(hlog2, ::log2f)
__HPML_HALF_MATH__(hlog10, ::log10f)
__HPML_HALF_MATH__(hsin, ::sinf)
__HPML_HALF_MATH__(hcos, ::cosf)
__HPML_HALF_MATH__(hfloor, ::floorf)
__HPML_HALF_MATH__(hceil, ::ceilf)
__HPML_HALF_MATH__(htrunc, ::truncf)
__HPML_HALF_MATH__(hrint, ::rintf)
#undef __HPML_HALF_MATH__
__HPML_DEVICE__ __half hrcp(__half __a) { return __half(1.0f / __half2float(__a)); }
#endif
