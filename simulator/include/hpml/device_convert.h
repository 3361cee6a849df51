// Conversions with an explicit rounding mode, and bit-for-bit reinterpretations.
#pragma once

#include "../host_defines.h"

#define __HPML_CVT__(__to, __tc, __name, __ptx, __from, __fc)        \
  __HPML_DEVICE__ __to __name(__from __x) {                          \
    __to __d;                                                        \
    asm(__ptx " %0, %1;" : "=" __tc(__d) : __fc(__x));               \
    return __d;                                                      \
  }
// __m: CUDA's mode, __i: PTX's rounding to an integer, __p: PTX's rounding to a floating-point value
#define __HPML_CVT_MODES__(__m, __i, __p)                                                             \
  __HPML_CVT__(int, "r", __float2int_##__m, "cvt." __i ".s32.f32", float, "f")                        \
  __HPML_CVT__(unsigned int, "r", __float2uint_##__m, "cvt." __i ".u32.f32", float, "f")              \
  __HPML_CVT__(long long, "l", __float2ll_##__m, "cvt." __i ".s64.f32", float, "f")                   \
  __HPML_CVT__(unsigned long long, "l", __float2ull_##__m, "cvt." __i ".u64.f32", float, "f")         \
  __HPML_CVT__(int, "r", __double2int_##__m, "cvt." __i ".s32.f64", double, "d")                      \
  __HPML_CVT__(unsigned int, "r", __double2uint_##__m, "cvt." __i ".u32.f64", double, "d")            \
  __HPML_CVT__(long long, "l", __double2ll_##__m, "cvt." __i ".s64.f64", double, "d")                 \
  __HPML_CVT__(unsigned long long, "l", __double2ull_##__m, "cvt." __i ".u64.f64", double, "d")       \
  __HPML_CVT__(float, "f", __int2float_##__m, "cvt." __p ".f32.s32", int, "r")                        \
  __HPML_CVT__(float, "f", __uint2float_##__m, "cvt." __p ".f32.u32", unsigned int, "r")              \
  __HPML_CVT__(float, "f", __ll2float_##__m, "cvt." __p ".f32.s64", long long, "l")                   \
  __HPML_CVT__(float, "f", __ull2float_##__m, "cvt." __p ".f32.u64", unsigned long long, "l")         \
  __HPML_CVT__(double, "d", __ll2double_##__m, "cvt." __p ".f64.s64", long long, "l")                 \
  __HPML_CVT__(double, "d", __ull2double_##__m, "cvt." __p ".f64.u64", unsigned long long, "l")       \
  __HPML_CVT__(float, "f", __double2float_##__m, "cvt." __p ".f32.f64", double, "d")
__HPML_CVT_MODES__(rn, "rni", "rn")
__HPML_CVT_MODES__(rz, "rzi", "rz")
__HPML_CVT_MODES__(ru, "rpi", "rp")
__HPML_CVT_MODES__(rd, "rmi", "rm")
#undef __HPML_CVT_MODES__
__HPML_CVT__(double, "d", __int2double_rn, "cvt.rn.f64.s32", int, "r")
__HPML_CVT__(double, "d", __uint2double_rn, "cvt.rn.f64.u32", unsigned int, "r")
#undef __HPML_CVT__

#define __HPML_BITS__(__to, __name, __from) \
  __HPML_DEVICE__ __to __name(__from __x) { return __builtin_bit_cast(__to, __x); }
__HPML_BITS__(int, __float_as_int, float)
__HPML_BITS__(unsigned int, __float_as_uint, float)
__HPML_BITS__(float, __int_as_float, int)
__HPML_BITS__(float, __uint_as_float, unsigned int)
__HPML_BITS__(long long, __double_as_longlong, double)
__HPML_BITS__(double, __longlong_as_double, long long)
#undef __HPML_BITS__

__HPML_DEVICE__ int __double2loint(double __x) { return static_cast<int>(__double_as_longlong(__x)); }
__HPML_DEVICE__ int __double2hiint(double __x) { return static_cast<int>(__double_as_longlong(__x) >> 32); }
__HPML_DEVICE__ double __hiloint2double(int __high, int __low) {
  return __longlong_as_double((static_cast<long long>(__high) << 32) | static_cast<unsigned int>(__low));
}
