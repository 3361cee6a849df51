// The type half and its conversions. The device uses PTX cvt; the host does the same in integer arithmetic.
#pragma once

#include <string.h>

#include "../device_functions.h"

struct __half_raw {
  unsigned short x;
};

// Rounds to nearest even, once, also from float (every float is a double).
__HPML_HOST__ unsigned short __hpml_host_to_half(double __value) {
  unsigned long long __bits;
  memcpy(&__bits, &__value, sizeof __bits);
  const unsigned int __sign = static_cast<unsigned int>(__bits >> 48) & 0x8000u;
  if (__value != __value) {
    return 0x7fff;  // NaN: canonical, as cvt.rn.f16.f32 gives
  }
  const int __exponent = static_cast<int>((__bits >> 52) & 0x7ffu) - 1023;
  // Below 2^-14 the half is subnormal: its last place is 2^-24 whatever the exponent.
  const int __shift = __exponent < -14 ? 42 + (-14 - __exponent) : 42;
  if (__shift > 53) {
    return static_cast<unsigned short>(__sign);
  }
  if (__exponent > 15) {
    return static_cast<unsigned short>(__sign | 0x7c00u);
  }
  const unsigned long long __fraction = (__bits & 0xfffffffffffffull) | 0x10000000000000ull;
  const unsigned long long __rest = __fraction & ((1ull << __shift) - 1);
  const unsigned long long __half_way = 1ull << (__shift - 1);
  unsigned int __result = static_cast<unsigned int>(__fraction >> __shift);
  __result += __rest > __half_way || (__rest == __half_way && (__result & 1u) != 0) ? 1u : 0u;
  // The implicit bit of a normal number adds one to the exponent field by itself; a carry out of 65504 is infinity.
  const unsigned int __field = __exponent < -14 ? 0u : static_cast<unsigned int>(__exponent + 14) << 10;
  return static_cast<unsigned short>(__sign | (__field + __result));
}

__HPML_HOST__ float __hpml_host_from_half(unsigned short __half) {
  const unsigned int __sign = (__half & 0x8000u) << 16;
  const unsigned int __exponent = (__half >> 10) & 31u;
  const unsigned int __fraction = __half & 0x3ffu;
  if (__exponent == 0) {
    const float __value = static_cast<float>(__fraction) * 5.9604644775390625e-8f;  // 2^-24
    return __sign != 0 ? -__value : __value;
  }
  const unsigned int __bits =
      __sign | (__exponent == 31 ? 0x7f800000u : (__exponent + 112) << 23) | (__fraction << 13);
  float __value;
  memcpy(&__value, &__bits, sizeof __value);
  return __value;
}

__HPML_BOTH__ unsigned short __hpml_to_half(float __value) {
#ifdef __CUDA_ARCH__
  unsigned short __half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(__half) : "f"(__value));
  return __half;
#else
  return __hpml_host_to_half(__value);
#endif
}

__HPML_BOTH__ unsigned short __hpml_double_to_half(double __value) {
#ifdef __CUDA_ARCH__
  unsigned short __half;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(__half) : "d"(__value));
  return __half;
#else
  return __hpml_host_to_half(__value);
#endif
}

__HPML_BOTH__ float __hpml_from_half(unsigned short __half) {
#ifdef __CUDA_ARCH__
  float __value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(__value) : "h"(__half));
  return __value;
#else
  return __hpml_host_from_half(__half);
#endif
}

struct __attribute__((aligned(2))) __half {
  unsigned short __x;
  __half() = default;
  __host__ __device__ __half(float __value) : __x(__hpml_to_half(__value)) {}
  __host__ __device__ __half(double __value) : __x(__hpml_double_to_half(__value)) {}
  __host__ __device__ __half(int __value) : __x(__hpml_to_half(static_cast<float>(__value))) {}
  __host__ __device__ __half(const __half_raw& __raw) : __x(__raw.x) {}
  __host__ __device__ operator float() const { return __hpml_from_half(__x); }
};
typedef __half half;

__HPML_BOTH__ __half __float2half(float __value) { return __half(__value); }
__HPML_BOTH__ __half __float2half_rn(float __value) { return __half(__value); }
__HPML_BOTH__ __half __double2half(double __value) { return __half(__value); }
__HPML_BOTH__ float __half2float(__half __value) { return __hpml_from_half(__value.__x); }
__HPML_BOTH__ __half __int2half_rn(int __value) { return __half(__value); }
__HPML_BOTH__ __half __ushort_as_half(unsigned short __bits) { return __half(__half_raw{__bits}); }
__HPML_BOTH__ __half __short_as_half(short __bits) {
  return __half(__half_raw{static_cast<unsigned short>(__bits)});
}
__HPML_BOTH__ unsigned short __half_as_ushort(__half __value) { return __value.__x; }
__HPML_BOTH__ short __half_as_short(__half __value) { return static_cast<short>(__value.__x); }
#ifdef __CUDA__
__HPML_DEVICE__ int __half2int_rn(__half __value) { return __float2int_rn(__half2float(__value)); }
__HPML_DEVICE__ int __half2int_rz(__half __value) { return __float2int_rz(__half2float(__value)); }
#endif
