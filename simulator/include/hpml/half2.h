// half2: two halves in one 32-bit word.
#pragma once

#include "../vector_types.h"
#include "half_arithmetic.h"

struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(const __half& __a, const __half& __b) : x(__a), y(__b) {}
};
typedef __half2 half2;

__HPML_BOTH__ __half2 make_half2(__half __a, __half __b) { return __half2(__a, __b); }
__HPML_BOTH__ __half2 __halves2half2(__half __a, __half __b) { return __half2(__a, __b); }
__HPML_BOTH__ __half2 __half2half2(__half __a) { return __half2(__a, __a); }
__HPML_BOTH__ __half2 __float2half2_rn(float __a) { return __half2(__half(__a), __half(__a)); }
__HPML_BOTH__ __half2 __floats2half2_rn(float __a, float __b) { return __half2(__half(__a), __half(__b)); }
__HPML_BOTH__ __half2 __float22half2_rn(float2 __a) { return __half2(__half(__a.x), __half(__a.y)); }
__HPML_BOTH__ float2 __half22float2(__half2 __a) { return float2{__half2float(__a.x), __half2float(__a.y)}; }
__HPML_BOTH__ __half __low2half(__half2 __a) { return __a.x; }
__HPML_BOTH__ __half __high2half(__half2 __a) { return __a.y; }
__HPML_BOTH__ float __low2float(__half2 __a) { return __half2float(__a.x); }
__HPML_BOTH__ float __high2float(__half2 __a) { return __half2float(__a.y); }

#define __HPML_HALF2_2__(__name, __each) \
  __HPML_BOTH__ __half2 __name(__half2 __a, __half2 __b) { return __half2(__each(__a.x, __b.x), __each(__a.y, __b.y)); }
__HPML_HALF2_2__(__hadd2, __hadd)
__HPML_HALF2_2__(__hsub2, __hsub)
__HPML_HALF2_2__(__hmul2, __hmul)
__HPML_HALF2_2__(__h2div, __hdiv)
__HPML_HALF2_2__(__hmax2, __hmax)
__HPML_HALF2_2__(__hmin2, __hmin)
__HPML_HALF2_2__(__hadd2_sat, __hadd_sat)
__HPML_HALF2_2__(__hsub2_sat, __hsub_sat)
__HPML_HALF2_2__(__hmul2_sat, __hmul_sat)
__HPML_HALF2_2__(operator+, __hadd)
__HPML_HALF2_2__(operator-, __hsub)
__HPML_HALF2_2__(operator*, __hmul)
__HPML_HALF2_2__(operator/, __hdiv)
#undef __HPML_HALF2_2__
__HPML_BOTH__ __half2 __hfma2(__half2 __a, __half2 __b, __half2 __c) {
  return __half2(__hfma(__a.x, __b.x, __c.x), __hfma(__a.y, __b.y, __c.y));
}
__HPML_BOTH__ __half2 __hfma2_sat(__half2 __a, __half2 __b, __half2 __c) {
  return __half2(__hfma_sat(__a.x, __b.x, __c.x), __hfma_sat(__a.y, __b.y, __c.y));
}
