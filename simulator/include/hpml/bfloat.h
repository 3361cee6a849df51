// The types of bfloat16. Operations are made in float and rounded once more: with 24 bits against 8, that is the same
// number for + - * / and the square root (Figueroa, "When is double rounding innocuous?"); fma goes through double,
// where the product is exact.
#pragma once

#include <string.h>

#include "../device_functions.h"
#include "../math_functions.h"
#include "../vector_types.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};

// To nearest, ties to even; NaN becomes the canonical one.
__HPML_BOTH__ unsigned short __hpml_to_bfloat(float __value) {
  unsigned int __bits;
  memcpy(&__bits, &__value, sizeof __bits);
  if ((__bits & 0x7fffffffu) > 0x7f800000u) {
    return 0x7fff;
  }
  return static_cast<unsigned short>((__bits + 0x7fffu + ((__bits >> 16) & 1u)) >> 16);
}
__HPML_BOTH__ float __hpml_from_bfloat(unsigned short __bits) {
  const unsigned int __wide = static_cast<unsigned int>(__bits) << 16;
  float __value;
  memcpy(&__value, &__wide, sizeof __value);
  return __value;
}
// From double: first to float with the lost bits kept in the last place (round to odd), so that the second rounding is
// that of the double.
__HPML_BOTH__ unsigned short __hpml_double_to_bfloat(double __value) {
  const float __near = static_cast<float>(__value);
  unsigned int __bits;
  memcpy(&__bits, &__near, sizeof __bits);
  const double __back = static_cast<double>(__near);
  if (__back != __value && __value == __value && (__bits & 0x7fffffffu) < 0x7f800000u) {
    const bool __away = (__back > __value) == (__value > 0);  // rounded away from zero
    __bits = (__away ? __bits - 1 : __bits) | 1u;
  }
  float __odd;
  memcpy(&__odd, &__bits, sizeof __odd);
  return __hpml_to_bfloat(__odd);
}

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw __raw) : __x(__raw.x) {}
  __host__ __device__ __nv_bfloat16(float __v) : __x(__hpml_to_bfloat(__v)) {}
  __host__ __device__ __nv_bfloat16(double __v) : __x(__hpml_double_to_bfloat(__v)) {}
  __host__ __device__ __nv_bfloat16(int __v) : __x(__hpml_double_to_bfloat(__v)) {}
  __host__ __device__ __nv_bfloat16(unsigned int __v) : __x(__hpml_double_to_bfloat(__v)) {}
  __host__ __device__ __nv_bfloat16(long long __v) : __x(__hpml_double_to_bfloat(static_cast<double>(__v))) {}
  __host__ __device__ operator float() const { return __hpml_from_bfloat(__x); }
  __host__ __device__ operator __nv_bfloat16_raw() const { return {__x}; }
};
typedef __nv_bfloat16 nv_bfloat16;

__HPML_BOTH__ __nv_bfloat16 __float2bfloat16(float __v) { return __nv_bfloat16(__v); }
__HPML_BOTH__ __nv_bfloat16 __float2bfloat16_rn(float __v) { return __nv_bfloat16(__v); }
__HPML_BOTH__ __nv_bfloat16 __double2bfloat16(double __v) { return __nv_bfloat16(__v); }
__HPML_BOTH__ __nv_bfloat16 __int2bfloat16_rn(int __v) { return __nv_bfloat16(__v); }
__HPML_BOTH__ float __bfloat162float(__nv_bfloat16 __v) { return static_cast<float>(__v); }
__HPML_BOTH__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 __v) { return __v.__x; }
__HPML_BOTH__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short __v) { return __nv_bfloat16_raw{__v}; }

#define __HPML_BFLOAT_2__(__name, __operator)                                                    \
  __HPML_BOTH__ __nv_bfloat16 __name(__nv_bfloat16 __a, __nv_bfloat16 __b) {                     \
    return __nv_bfloat16(__bfloat162float(__a) __operator __bfloat162float(__b));                \
  }
__HPML_BFLOAT_2__(__hadd, +)
__HPML_BFLOAT_2__(__hsub, -)
__HPML_BFLOAT_2__(__hmul, *)
__HPML_BFLOAT_2__(__hdiv, /)
__HPML_BFLOAT_2__(operator+, +)
__HPML_BFLOAT_2__(operator-, -)
__HPML_BFLOAT_2__(operator*, *)
__HPML_BFLOAT_2__(operator/, /)
#undef __HPML_BFLOAT_2__
#define __HPML_BFLOAT_COMPARE__(__name, __operator)                         \
  __HPML_BOTH__ bool __name(__nv_bfloat16 __a, __nv_bfloat16 __b) {         \
    return __bfloat162float(__a) __operator __bfloat162float(__b);          \
  }
__HPML_BFLOAT_COMPARE__(__heq, ==)
__HPML_BFLOAT_COMPARE__(__hne, !=)
__HPML_BFLOAT_COMPARE__(__hlt, <)
__HPML_BFLOAT_COMPARE__(__hle, <=)
__HPML_BFLOAT_COMPARE__(__hgt, >)
__HPML_BFLOAT_COMPARE__(__hge, >=)
__HPML_BFLOAT_COMPARE__(operator==, ==)
__HPML_BFLOAT_COMPARE__(operator!=, !=)
__HPML_BFLOAT_COMPARE__(operator<, <)
__HPML_BFLOAT_COMPARE__(operator<=, <=)
__HPML_BFLOAT_COMPARE__(operator>, >)
__HPML_BFLOAT_COMPARE__(operator>=, >=)
#undef __HPML_BFLOAT_COMPARE__
__HPML_BOTH__ __nv_bfloat16 operator-(__nv_bfloat16 __a) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(__a.__x ^ 0x8000u));
}
__HPML_BOTH__ __nv_bfloat16 __hneg(__nv_bfloat16 __a) { return -__a; }
__HPML_BOTH__ __nv_bfloat16 __habs(__nv_bfloat16 __a) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(__a.__x & 0x7fffu));
}
__HPML_BOTH__ bool __hisnan(__nv_bfloat16 __a) { return (__a.__x & 0x7fffu) > 0x7f80u; }
__HPML_BOTH__ __nv_bfloat16 __hmax(__nv_bfloat16 __a, __nv_bfloat16 __b) {
  return __hisnan(__a) || __a < __b ? __b : __a;
}
__HPML_BOTH__ __nv_bfloat16 __hmin(__nv_bfloat16 __a, __nv_bfloat16 __b) {
  return __hisnan(__a) || __b < __a ? __b : __a;
}
__HPML_BOTH__ __nv_bfloat16 __hfma(__nv_bfloat16 __a, __nv_bfloat16 __b, __nv_bfloat16 __c) {
  const double __product = static_cast<double>(__bfloat162float(__a)) * __bfloat162float(__b);
  return __nv_bfloat16(__product + __bfloat162float(__c));
}
__HPML_BOTH__ __nv_bfloat16& operator+=(__nv_bfloat16& __a, __nv_bfloat16 __b) { return __a = __a + __b; }
__HPML_BOTH__ __nv_bfloat16& operator-=(__nv_bfloat16& __a, __nv_bfloat16 __b) { return __a = __a - __b; }
__HPML_BOTH__ __nv_bfloat16& operator*=(__nv_bfloat16& __a, __nv_bfloat16 __b) { return __a = __a * __b; }
__HPML_BOTH__ __nv_bfloat16& operator/=(__nv_bfloat16& __a, __nv_bfloat16 __b) { return __a = __a / __b; }

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16& __a, const __nv_bfloat16& __b) : x(__a), y(__b) {}
};
typedef __nv_bfloat162 nv_bfloat162;

__HPML_BOTH__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 __a, __nv_bfloat16 __b) { return {__a, __b}; }
__HPML_BOTH__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 __a, __nv_bfloat16 __b) { return {__a, __b}; }
__HPML_BOTH__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 __a) { return {__a, __a}; }
__HPML_BOTH__ __nv_bfloat162 __float2bfloat162_rn(float __a) { return {__nv_bfloat16(__a), __nv_bfloat16(__a)}; }
__HPML_BOTH__ __nv_bfloat162 __floats2bfloat162_rn(float __a, float __b) {
  return {__nv_bfloat16(__a), __nv_bfloat16(__b)};
}
__HPML_BOTH__ __nv_bfloat162 __float22bfloat162_rn(float2 __a) { return __floats2bfloat162_rn(__a.x, __a.y); }
__HPML_BOTH__ float2 __bfloat1622float2(__nv_bfloat162 __a) {
  return float2{__bfloat162float(__a.x), __bfloat162float(__a.y)};
}
__HPML_BOTH__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 __a) { return __a.x; }
__HPML_BOTH__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 __a) { return __a.y; }
__HPML_BOTH__ float __low2float(__nv_bfloat162 __a) { return __bfloat162float(__a.x); }
__HPML_BOTH__ float __high2float(__nv_bfloat162 __a) { return __bfloat162float(__a.y); }
#define __HPML_BFLOAT2_2__(__name, __each)                                             \
  __HPML_BOTH__ __nv_bfloat162 __name(__nv_bfloat162 __a, __nv_bfloat162 __b) {        \
    return {__each(__a.x, __b.x), __each(__a.y, __b.y)};                               \
  }
__HPML_BFLOAT2_2__(__hadd2, __hadd)
__HPML_BFLOAT2_2__(__hsub2, __hsub)
__HPML_BFLOAT2_2__(__hmul2, __hmul)
__HPML_BFLOAT2_2__(__h2div, __hdiv)
__HPML_BFLOAT2_2__(__hmax2, __hmax)
__HPML_BFLOAT2_2__(__hmin2, __hmin)
__HPML_BFLOAT2_2__(operator+, __hadd)
__HPML_BFLOAT2_2__(operator-, __hsub)
__HPML_BFLOAT2_2__(operator*, __hmul)
__HPML_BFLOAT2_2__(operator/, __hdiv)
#undef __HPML_BFLOAT2_2__
__HPML_BOTH__ __nv_bfloat162 __hfma2(__nv_bfloat162 __a, __nv_bfloat162 __b, __nv_bfloat162 __c) {
  return {__hfma(__a.x, __b.x, __c.x), __hfma(__a.y, __b.y, __c.y)};
}

__HPML_BOTH__ __nv_bfloat162 __hneg2(__nv_bfloat162 __a) { return {__hneg(__a.x), __hneg(__a.y)}; }
__HPML_BOTH__ __nv_bfloat162 __habs2(__nv_bfloat162 __a) { return {__habs(__a.x), __habs(__a.y)}; }
__HPML_BOTH__ __nv_bfloat162 __low2bfloat162(__nv_bfloat162 __a) { return {__a.x, __a.x}; }
__HPML_BOTH__ __nv_bfloat162 __high2bfloat162(__nv_bfloat162 __a) { return {__a.y, __a.y}; }
__HPML_BOTH__ __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 __a, __nv_bfloat162 __b) { return {__a.x, __b.x}; }
__HPML_BOTH__ __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 __a, __nv_bfloat162 __b) { return {__a.y, __b.y}; }
__HPML_BOTH__ __nv_bfloat162& operator+=(__nv_bfloat162& __a, __nv_bfloat162 __b) { return __a = __a + __b; }
__HPML_BOTH__ __nv_bfloat162& operator-=(__nv_bfloat162& __a, __nv_bfloat162 __b) { return __a = __a - __b; }
__HPML_BOTH__ __nv_bfloat162& operator*=(__nv_bfloat162& __a, __nv_bfloat162 __b) { return __a = __a * __b; }
// 1 or 0 in each half, and whether both hold.
#define __HPML_BFLOAT2_COMPARE__(__op)                                                                            \
  __HPML_BOTH__ __nv_bfloat162 __h##__op##2(__nv_bfloat162 __a, __nv_bfloat162 __b) {                             \
    return {__nv_bfloat16(__h##__op(__a.x, __b.x) ? 1.0f : 0.0f), __nv_bfloat16(__h##__op(__a.y, __b.y) ? 1.0f : 0.0f)}; \
  }                                                                                                               \
  __HPML_BOTH__ bool __hb##__op##2(__nv_bfloat162 __a, __nv_bfloat162 __b) {                                      \
    return __h##__op(__a.x, __b.x) && __h##__op(__a.y, __b.y);                                                    \
  }
__HPML_BFLOAT2_COMPARE__(eq)
__HPML_BFLOAT2_COMPARE__(ne)
__HPML_BFLOAT2_COMPARE__(lt)
__HPML_BFLOAT2_COMPARE__(le)
__HPML_BFLOAT2_COMPARE__(gt)
__HPML_BFLOAT2_COMPARE__(ge)
#undef __HPML_BFLOAT2_COMPARE__

#ifdef __CUDA__
#define __HPML_BFLOAT_MATH__(__name, __float) \
  __HPML_DEVICE__ __nv_bfloat16 __name(__nv_bfloat16 __a) { return __nv_bfloat16(__float(__bfloat162float(__a))); }
__HPML_BFLOAT_MATH__(hsqrt, ::sqrtf)
__HPML_BFLOAT_MATH__(hrsqrt, ::rsqrtf)
__HPML_BFLOAT_MATH__(hexp, ::expf)
__HPML_BFLOAT_MATH__(hlog, ::logf)
__HPML_BFLOAT_MATH__(hsin, ::sinf)
__HPML_BFLOAT_MATH__(hcos, ::cosf)
__HPML_BFLOAT_MATH__(hfloor, ::floorf)
__HPML_BFLOAT_MATH__(hceil, ::ceilf)
__HPML_BFLOAT_MATH__(hrint, ::rintf)
__HPML_BFLOAT_MATH__(htrunc, ::truncf)
__HPML_BFLOAT_MATH__(hexp2, ::exp2f)
__HPML_BFLOAT_MATH__(hlog2, ::log2f)
#undef __HPML_BFLOAT_MATH__
#endif
