// The 8-bit floating types of CUDA (__nv_fp8_e4m3, __nv_fp8_e5m2, their pairs and quadruples) and their conversions, in
// arithmetic that every architecture has. Formats: Micikevicius et al., "FP8 Formats for Deep Learning", 2022.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus
// Rounds to nearest even, once, also from float, half and bfloat16: each of them is a double.
__HPML_BOTH__ __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double __value, const __nv_saturation_t __saturate,
                                                        const __nv_fp8_interpretation_t __format) {
  const bool __e4m3 = __format == __NV_E4M3;
  const int __mantissa = __e4m3 ? 3 : 2, __lowest = __e4m3 ? -6 : -14;  // bits; exponent of the subnormals, too
  const unsigned int __largest = __e4m3 ? 0x7eu : 0x7bu;               // finite number
  unsigned long long __bits;
  memcpy(&__bits, &__value, sizeof __bits);
  const unsigned int __sign = static_cast<unsigned int>(__bits >> 56) & 0x80u;
  if (__value != __value) {
    return static_cast<__nv_fp8_storage_t>(__sign | (__e4m3 ? 0x7fu : 0x7eu | (static_cast<unsigned int>(__bits >> 50) & 3u)));
  }
  const int __exponent = static_cast<int>(__bits >> 52 & 0x7ffu) - 1023;
  unsigned int __code = 0x80;  // above every number
  if (__exponent < 16) {
    const int __step = (__exponent < __lowest ? __lowest : __exponent) - __mantissa;  // of the last place
    const unsigned long long __scale_bits = static_cast<unsigned long long>(1023 - __step) << 52;
    double __scale;
    memcpy(&__scale, &__scale_bits, sizeof __scale);
    const double __steps = (__value < 0 ? -__value : __value) * __scale;
    const unsigned int __whole = static_cast<unsigned int>(__steps);
    const double __rest = __steps - __whole;
    // The implicit bit of a normal number adds one to the exponent field by itself.
    __code = (static_cast<unsigned int>(__step + __mantissa - __lowest) << __mantissa) + __whole +
             (__rest > 0.5 || (__rest == 0.5 && (__whole & 1u) != 0) ? 1u : 0u);
  }
  if (__code > __largest) {
    __code = __saturate == __NV_SATFINITE ? __largest : __largest + 1;  // NaN of e4m3, infinity of e5m2
  }
  return static_cast<__nv_fp8_storage_t>(__sign | __code);
}
__HPML_BOTH__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float __value, const __nv_saturation_t __saturate,
                                                       const __nv_fp8_interpretation_t __format) {
  return __nv_cvt_double_to_fp8(__value, __saturate, __format);
}
__HPML_BOTH__ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw __value, const __nv_saturation_t __saturate,
                                                         const __nv_fp8_interpretation_t __format) {
  return __nv_cvt_double_to_fp8(__half2float(__half(__value)), __saturate, __format);
}
__HPML_BOTH__ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw __value,
                                                             const __nv_saturation_t __saturate,
                                                             const __nv_fp8_interpretation_t __format) {
  return __nv_cvt_double_to_fp8(__bfloat162float(__nv_bfloat16(__value)), __saturate, __format);
}
__HPML_BOTH__ __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t __bits, const __nv_fp8_interpretation_t __format) {
  const unsigned int __magnitude = __bits & 0x7fu, __sign = (__bits & 0x80u) << 8;
  if (__magnitude > (__format == __NV_E4M3 ? 0x7eu : 0x7cu)) {
    return __half_raw{0x7fff};
  }
  if (__format == __NV_E5M2) {
    return __half_raw{static_cast<unsigned short>(__bits << 8)};
  }
  // With a mantissa of three bits all are halves. A half's exponent is 8 larger; a subnormal number counts steps of 2^-9.
  const unsigned int __half_bits =
      __magnitude >= 8 ? (__magnitude << 7) + (8u << 10) : __hpml_to_half(static_cast<float>(__magnitude) * 0.001953125f);
  return __half_raw{static_cast<unsigned short>(__sign | __half_bits)};
}
__HPML_BOTH__ __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 __value, const __nv_saturation_t __saturate,
                                                            const __nv_fp8_interpretation_t __format) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(__value.x, __saturate, __format) |
                                           __nv_cvt_float_to_fp8(__value.y, __saturate, __format) << 8);
}

#define __HPML_FP8_FROM__(__name, __type, __format)                                      \
  __host__ __device__ explicit __name(const __type __value)                              \
      : __x(__nv_cvt_double_to_fp8(static_cast<double>(__value), __NV_SATFINITE, __format)) {}
#define __HPML_FP8_TO__(__type) \
  __host__ __device__ explicit operator __type() const { return static_cast<__type>(static_cast<float>(*this)); }
#define __HPML_FP8__(__name, __pair, __four, __format)                                                               \
  struct __name {                                                                                                    \
    __nv_fp8_storage_t __x;                                                                                          \
    __name() = default;                                                                                              \
    __HPML_FP8_FROM__(__name, double, __format)                                                                      \
    __HPML_FP8_FROM__(__name, float, __format)                                                                       \
    __HPML_FP8_FROM__(__name, int, __format)                                                                         \
    __HPML_FP8_FROM__(__name, unsigned int, __format)                                                                \
    __HPML_FP8_FROM__(__name, short, __format)                                                                       \
    __HPML_FP8_FROM__(__name, unsigned short, __format)                                                              \
    __HPML_FP8_FROM__(__name, long, __format)                                                                        \
    __HPML_FP8_FROM__(__name, unsigned long, __format)                                                               \
    __HPML_FP8_FROM__(__name, long long, __format)                                                                   \
    __HPML_FP8_FROM__(__name, unsigned long long, __format)                                                          \
    __host__ __device__ explicit __name(const __half __value) : __name(__half2float(__value)) {}                     \
    __host__ __device__ explicit __name(const __nv_bfloat16 __value) : __name(__bfloat162float(__value)) {}          \
    __host__ __device__ explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, __format)); }  \
    __host__ __device__ explicit operator float() const { return __half2float(static_cast<__half>(*this)); }         \
    __host__ __device__ explicit operator __nv_bfloat16() const { return __nv_bfloat16(static_cast<float>(*this)); } \
    __host__ __device__ explicit operator bool() const { return (__x & 0x7fu) != 0; }                                \
    __HPML_FP8_TO__(double)                                                                                          \
    __HPML_FP8_TO__(signed char)                                                                                     \
    __HPML_FP8_TO__(unsigned char)                                                                                   \
    __HPML_FP8_TO__(short)                                                                                           \
    __HPML_FP8_TO__(unsigned short)                                                                                  \
    __HPML_FP8_TO__(int)                                                                                             \
    __HPML_FP8_TO__(unsigned int)                                                                                    \
    __HPML_FP8_TO__(long)                                                                                            \
    __HPML_FP8_TO__(unsigned long)                                                                                   \
    __HPML_FP8_TO__(long long)                                                                                       \
    __HPML_FP8_TO__(unsigned long long)                                                                              \
  };                                                                                                                 \
  struct __pair {                                                                                                    \
    __nv_fp8x2_storage_t __x;                                                                                        \
    __pair() = default;                                                                                              \
    __host__ __device__ explicit __pair(const float2 __value)                                                        \
        : __x(__nv_cvt_float2_to_fp8x2(__value, __NV_SATFINITE, __format)) {}                                        \
    __host__ __device__ explicit __pair(const __half2 __value)                                                       \
        : __pair(make_float2(__low2float(__value), __high2float(__value))) {}                                        \
    __host__ __device__ explicit operator float2() const {                                                           \
      __name __low, __high;                                                                                          \
      __low.__x = static_cast<__nv_fp8_storage_t>(__x & 0xffu);                                                      \
      __high.__x = static_cast<__nv_fp8_storage_t>(__x >> 8);                                                        \
      return make_float2(static_cast<float>(__low), static_cast<float>(__high));                                     \
    }                                                                                                                \
    __host__ __device__ explicit operator __half2() const {                                                          \
      return __float22half2_rn(static_cast<float2>(*this));                                                          \
    }                                                                                                                \
  };                                                                                                                 \
  struct __four {                                                                                                    \
    __nv_fp8x4_storage_t __x;                                                                                        \
    __four() = default;                                                                                              \
    __host__ __device__ explicit __four(const float4 __value)                                                        \
        : __x(__pair(make_float2(__value.x, __value.y)).__x |                                                        \
              static_cast<unsigned int>(__pair(make_float2(__value.z, __value.w)).__x) << 16) {}                     \
    __host__ __device__ explicit operator float4() const {                                                           \
      __pair __low, __high;                                                                                          \
      __low.__x = static_cast<__nv_fp8x2_storage_t>(__x & 0xffffu);                                                  \
      __high.__x = static_cast<__nv_fp8x2_storage_t>(__x >> 16);                                                     \
      const float2 __a = static_cast<float2>(__low), __b = static_cast<float2>(__high);                              \
      return make_float4(__a.x, __a.y, __b.x, __b.y);                                                                \
    }                                                                                                                \
  };

__HPML_FP8__(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
__HPML_FP8__(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef __HPML_FP8__
#undef __HPML_FP8_FROM__
#undef __HPML_FP8_TO__
#endif
