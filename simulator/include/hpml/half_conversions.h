// Whole numbers and directed rounding: conversions of half and bfloat16 (device code). `__t` is the type, `__h` the word
// in the functions' names.
#pragma once

#include "../device_functions.h"

#ifdef __CUDA__
#define __HPML_SHORT_INTEGER__(__name, __mode)                              \
  __HPML_DEVICE__ short __hpml_float2short_##__name(float __v) {            \
    short __r;                                                              \
    asm("cvt." __mode ".s16.f32 %0, %1;" : "=h"(__r) : "f"(__v));           \
    return __r;                                                             \
  }                                                                         \
  __HPML_DEVICE__ unsigned short __hpml_float2ushort_##__name(float __v) {  \
    unsigned short __r;                                                     \
    asm("cvt." __mode ".u16.f32 %0, %1;" : "=h"(__r) : "f"(__v));           \
    return __r;                                                             \
  }
__HPML_SHORT_INTEGER__(rn, "rni")
__HPML_SHORT_INTEGER__(rz, "rzi")
__HPML_SHORT_INTEGER__(rd, "rmi")
__HPML_SHORT_INTEGER__(ru, "rpi")
#undef __HPML_SHORT_INTEGER__

// To whole numbers: every half and every bfloat16 is a float.
#define __HPML_TO_INTEGERS__(__t, __h, __r)                                                                          \
  __HPML_DEVICE__ unsigned int __h##2uint_##__r(__t __v) { return __float2uint_##__r(static_cast<float>(__v)); }    \
  __HPML_DEVICE__ long long __h##2ll_##__r(__t __v) { return __float2ll_##__r(static_cast<float>(__v)); }           \
  __HPML_DEVICE__ unsigned long long __h##2ull_##__r(__t __v) { return __float2ull_##__r(static_cast<float>(__v)); } \
  __HPML_DEVICE__ short __h##2short_##__r(__t __v) { return __hpml_float2short_##__r(static_cast<float>(__v)); }    \
  __HPML_DEVICE__ unsigned short __h##2ushort_##__r(__t __v) { return __hpml_float2ushort_##__r(static_cast<float>(__v)); }
#define __HPML_ALL_TO_INTEGERS__(__t, __h) \
  __HPML_TO_INTEGERS__(__t, __h, rn)       \
  __HPML_TO_INTEGERS__(__t, __h, rz)       \
  __HPML_TO_INTEGERS__(__t, __h, rd)       \
  __HPML_TO_INTEGERS__(__t, __h, ru)       \
  __HPML_DEVICE__ signed char __h##2char_rz(__t __v) {                                                               \
    const float __f = static_cast<float>(__v);                                                                      \
    return static_cast<signed char>(__f != __f ? 0 : __f <= -128.0f ? -128 : __f >= 127.0f ? 127 : __float2int_rz(__f)); \
  }                                                                                                                 \
  __HPML_DEVICE__ unsigned char __h##2uchar_rz(__t __v) {                                                            \
    const float __f = static_cast<float>(__v);                                                                      \
    return static_cast<unsigned char>(__f >= 255.0f ? 255u : __f > 0.0f ? __float2uint_rz(__f) : 0u);               \
  }

// From whole numbers. A number of 64 bits becomes a double with its lost bits kept in the last place (round to odd),
// which rounds like the number itself.
__HPML_BOTH__ double __hpml_odd_double(unsigned long long __v) {
  const unsigned long long __lost = (1ull << 11) - 1;
  return static_cast<double>((__v >> 53) == 0 ? __v : (__v & ~__lost) | ((__v & __lost) != 0 ? __lost + 1 : 0));
}
__HPML_BOTH__ double __hpml_odd_double(long long __v) {
  return __v < 0 ? -__hpml_odd_double(0ull - static_cast<unsigned long long>(__v))
                 : __hpml_odd_double(static_cast<unsigned long long>(__v));
}
#define __HPML_FROM_INTEGERS__(__t, __h)                                                                    \
  __HPML_BOTH__ __t __short2##__h##_rn(short __v) { return __t(static_cast<float>(__v)); }                  \
  __HPML_BOTH__ __t __ushort2##__h##_rn(unsigned short __v) { return __t(static_cast<float>(__v)); }        \
  __HPML_BOTH__ __t __uint2##__h##_rn(unsigned int __v) { return __t(static_cast<double>(__v)); }           \
  __HPML_BOTH__ __t __ll2##__h##_rn(long long __v) { return __t(__hpml_odd_double(__v)); }                  \
  __HPML_BOTH__ __t __ull2##__h##_rn(unsigned long long __v) { return __t(__hpml_odd_double(__v)); }

// Comparisons that also hold where one side is no number, maximum and minimum that keep it, and what has a name of its
// own for a sum or product that is not contracted.
#define __HPML_UNORDERED__(__t, __op)                                                            \
  __HPML_BOTH__ bool __h##__op##u(__t __a, __t __b) {                                            \
    return __hisnan(__a) || __hisnan(__b) || __h##__op(__a, __b);                                \
  }
#define __HPML_SHORT_MORE__(__t)                                                                 \
  __HPML_UNORDERED__(__t, eq)                                                                    \
  __HPML_UNORDERED__(__t, ne)                                                                    \
  __HPML_UNORDERED__(__t, lt)                                                                    \
  __HPML_UNORDERED__(__t, le)                                                                    \
  __HPML_UNORDERED__(__t, gt)                                                                    \
  __HPML_UNORDERED__(__t, ge)                                                                    \
  __HPML_BOTH__ __t __hmax_nan(__t __a, __t __b) {                                               \
    return __hisnan(__a) ? __a : __hisnan(__b) ? __b : __hmax(__a, __b);                         \
  }                                                                                              \
  __HPML_BOTH__ __t __hmin_nan(__t __a, __t __b) {                                               \
    return __hisnan(__a) ? __a : __hisnan(__b) ? __b : __hmin(__a, __b);                         \
  }                                                                                              \
  __HPML_BOTH__ __t __hadd_rn(__t __a, __t __b) { return __hadd(__a, __b); }                     \
  __HPML_BOTH__ __t __hsub_rn(__t __a, __t __b) { return __hsub(__a, __b); }                     \
  __HPML_BOTH__ __t __hmul_rn(__t __a, __t __b) { return __hmul(__a, __b); }                     \
  __HPML_BOTH__ __t __hfma_relu(__t __a, __t __b, __t __c) {                                     \
    const __t __r = __hfma(__a, __b, __c);                                                       \
    return __hlt(__r, __t(0.0f)) ? __t(0.0f) : __r;                                              \
  }                                                                                              \
  __HPML_DEVICE__ __t htanh(__t __a) { return __t(::tanhf(static_cast<float>(__a))); }
#define __HPML_PAIR_MORE__(__pair)                                                               \
  __HPML_BOTH__ __pair __hadd2_rn(__pair __a, __pair __b) { return __hadd2(__a, __b); }          \
  __HPML_BOTH__ __pair __hsub2_rn(__pair __a, __pair __b) { return __hsub2(__a, __b); }          \
  __HPML_BOTH__ __pair __hmul2_rn(__pair __a, __pair __b) { return __hmul2(__a, __b); }          \
  __HPML_BOTH__ __pair __hmax2_nan(__pair __a, __pair __b) {                                     \
    return __pair(__hmax_nan(__a.x, __b.x), __hmax_nan(__a.y, __b.y));                           \
  }                                                                                              \
  __HPML_BOTH__ __pair __hmin2_nan(__pair __a, __pair __b) {                                     \
    return __pair(__hmin_nan(__a.x, __b.x), __hmin_nan(__a.y, __b.y));                           \
  }                                                                                              \
  __HPML_BOTH__ __pair __hfma2_relu(__pair __a, __pair __b, __pair __c) {                        \
    return __pair(__hfma_relu(__a.x, __b.x, __c.x), __hfma_relu(__a.y, __b.y, __c.y));           \
  }                                                                                              \
  __HPML_BOTH__ __pair __hcmadd(__pair __a, __pair __b, __pair __c) {                            \
    return __pair(__hfma(__hneg(__a.y), __b.y, __hfma(__a.x, __b.x, __c.x)),                     \
                  __hfma(__a.x, __b.y, __hfma(__a.y, __b.x, __c.y)));                            \
  }                                                                                              \
  __HPML_DEVICE__ __pair h2tanh(__pair __a) { return __pair(htanh(__a.x), htanh(__a.y)); }
#endif
