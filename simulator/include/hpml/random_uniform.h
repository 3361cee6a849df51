// Numbers of (0, 1] from bits: cuRAND library guide, 3.1.4.
#pragma once

#include "random_mrg32k3a.h"
#include "random_philox.h"
#include "random_sobol.h"
#include "random_xorwow.h"

__HPML_DEVICE__ float __hpml_fraction(unsigned int __bits) { return __bits * 0x1p-32f + 0x1p-33f; }
__HPML_DEVICE__ float __hpml_fraction(unsigned long long __bits) {
  return __hpml_fraction(static_cast<unsigned int>(__bits >> 32));
}
__HPML_DEVICE__ double __hpml_fine_fraction(unsigned int __bits) { return __bits * 0x1p-32 + 0x1p-32; }
__HPML_DEVICE__ double __hpml_fine_fraction(unsigned long long __bits) { return (__bits >> 11) * 0x1p-53 + 0x1p-54; }
// Of 53 bits, from two numbers.
__HPML_DEVICE__ double __hpml_fine_fraction(unsigned int __low, unsigned int __high) {
  return (__low ^ static_cast<unsigned long long>(__high) << 21) * 0x1p-53 + 0x1p-54;
}

template <class __state>
__HPML_DEVICE__ float curand_uniform(__state* __s) {
  return __hpml_fraction(curand(__s));
}
template <class __state>
__HPML_DEVICE__ double curand_uniform_double(__state* __s) {
  return __hpml_fine_fraction(curand(__s));
}

__HPML_DEVICE__ double curand_uniform_double(curandStateXORWOW_t* __s) {
  const unsigned int __low = curand(__s);
  return __hpml_fine_fraction(__low, curand(__s));
}

// L'Ecuyer's norm, 1 / (first modulus + 1).
__HPML_DEVICE__ double curand_uniform_double(curandStateMRG32k3a_t* __s) {
  return curand_MRG32k3a(__s) * 2.3283065498378288e-10;
}
__HPML_DEVICE__ float curand_uniform(curandStateMRG32k3a_t* __s) { return static_cast<float>(curand_uniform_double(__s)); }

__HPML_DEVICE__ float4 curand_uniform4(curandStatePhilox4_32_10_t* __s) {
  const uint4 __n = curand4(__s);
  return make_float4(__hpml_fraction(__n.x), __hpml_fraction(__n.y), __hpml_fraction(__n.z), __hpml_fraction(__n.w));
}
__HPML_DEVICE__ double2 curand_uniform2_double(curandStatePhilox4_32_10_t* __s) {
  const uint4 __n = curand4(__s);
  return make_double2(__hpml_fine_fraction(__n.x, __n.y), __hpml_fine_fraction(__n.z, __n.w));
}
__HPML_DEVICE__ double4 curand_uniform4_double(curandStatePhilox4_32_10_t* __s) {
  const double2 __a = curand_uniform2_double(__s), __b = curand_uniform2_double(__s);
  return make_double4(__a.x, __a.y, __b.x, __b.y);
}
