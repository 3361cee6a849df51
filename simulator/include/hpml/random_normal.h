// Normal and log-normal numbers: of pseudorandom generators by Box and Muller's transform, which makes two at a time (the
// second one stays in the state), of Sobol's by the inverse of the distribution, so that each takes one point.
#pragma once

#include "random_uniform.h"

// Two normal numbers of float from two of the generator.
template <class __state>
__HPML_DEVICE__ float2 curand_normal2(__state* __s) {
  const unsigned int __n = curand(__s);
  constexpr float __turn = 0x1p-32f * 6.2831855f;
  const float __radius = sqrtf(-2.0f * logf(__hpml_fraction(__n)));
  const float __angle = curand(__s) * __turn + __turn / 2;
  float2 __pair;
  __sincosf(__angle, &__pair.x, &__pair.y);
  return make_float2(__pair.x * __radius, __pair.y * __radius);
}
__HPML_DEVICE__ float2 curand_normal2(curandStateMRG32k3a_t* __s) {
  const float __radius = sqrtf(-2.0f * logf(curand_uniform(__s)));
  float2 __pair;
  __sincosf(curand_uniform(__s) * 6.2831855f, &__pair.x, &__pair.y);
  return make_float2(__pair.x * __radius, __pair.y * __radius);
}

// Two normal numbers of double from four of the generator.
__HPML_DEVICE__ double2 __hpml_polar(double __fraction, double __half_turns) {
  const double __radius = sqrt(-2.0 * log(__fraction));
  double2 __pair;
  sincospi(__half_turns, &__pair.x, &__pair.y);
  return make_double2(__pair.x * __radius, __pair.y * __radius);
}
template <class __state>
__HPML_DEVICE__ double2 curand_normal2_double(__state* __s) {
  const unsigned int __a = curand(__s), __b = curand(__s), __c = curand(__s), __d = curand(__s);
  return __hpml_polar(__hpml_fine_fraction(__a, __b), 2 * __hpml_fine_fraction(__c, __d));
}
__HPML_DEVICE__ double2 curand_normal2_double(curandStateMRG32k3a_t* __s) {
  const double __fraction = curand_uniform_double(__s);
  return __hpml_polar(__fraction, 2 * curand_uniform_double(__s));
}

// The first number of a new pair, or the second one of the last pair, which the state keeps. `__flag`: of which kind the
// kept one is; `__f`: makes a number of this kind of a normal one.
template <class __number, class __source, class __function>
__HPML_DEVICE__ __number __hpml_one_of_two(int& __flag, __number& __kept, int __kind, __source __next_pair, __function __f) {
  if (__flag == __kind) {
    __flag = 0;
    return __kept;
  }
  const auto __pair = __next_pair();
  __flag = __kind;
  __kept = __f(__pair.y);
  return __f(__pair.x);
}
template <class __state, class __function>
__HPML_DEVICE__ float __hpml_one_float(__state* __s, int __kind, __function __f) {
  return __hpml_one_of_two(__s->boxmuller_flag, __s->boxmuller_extra, __kind,
                           [=]() __attribute__((device)) { return curand_normal2(__s); }, __f);
}
template <class __state, class __function>
__HPML_DEVICE__ double __hpml_one_double(__state* __s, int __kind, __function __f) {
  return __hpml_one_of_two(__s->boxmuller_flag_double, __s->boxmuller_extra_double, __kind,
                           [=]() __attribute__((device)) { return curand_normal2_double(__s); }, __f);
}

template <class __state>
__HPML_DEVICE__ float curand_normal(__state* __s) {
  return __hpml_one_float(__s, EXTRA_FLAG_NORMAL, [](float __x) __attribute__((device)) { return __x; });
}
template <class __state>
__HPML_DEVICE__ double curand_normal_double(__state* __s) {
  return __hpml_one_double(__s, EXTRA_FLAG_NORMAL, [](double __x) __attribute__((device)) { return __x; });
}
template <class __state>
__HPML_DEVICE__ float curand_log_normal(__state* __s, float __mean, float __stddev) {
  return __hpml_one_float(__s, EXTRA_FLAG_LOG_NORMAL,
                          [=](float __x) __attribute__((device)) { return expf(__mean + __stddev * __x); });
}
template <class __state>
__HPML_DEVICE__ double curand_log_normal_double(__state* __s, double __mean, double __stddev) {
  return __hpml_one_double(__s, EXTRA_FLAG_LOG_NORMAL,
                           [=](double __x) __attribute__((device)) { return exp(__mean + __stddev * __x); });
}

template <class __state>
__HPML_DEVICE__ float2 curand_log_normal2(__state* __s, float __mean, float __stddev) {
  const float2 __pair = curand_normal2(__s);
  return make_float2(expf(__mean + __stddev * __pair.x), expf(__mean + __stddev * __pair.y));
}
template <class __state>
__HPML_DEVICE__ double2 curand_log_normal2_double(__state* __s, double __mean, double __stddev) {
  const double2 __pair = curand_normal2_double(__s);
  return make_double2(exp(__mean + __stddev * __pair.x), exp(__mean + __stddev * __pair.y));
}

__HPML_DEVICE__ float4 curand_normal4(curandStatePhilox4_32_10_t* __s) {
  const float2 __a = curand_normal2(__s), __b = curand_normal2(__s);
  return make_float4(__a.x, __a.y, __b.x, __b.y);
}
__HPML_DEVICE__ double4 curand_normal4_double(curandStatePhilox4_32_10_t* __s) {
  const double2 __a = curand_normal2_double(__s), __b = curand_normal2_double(__s);
  return make_double4(__a.x, __a.y, __b.x, __b.y);
}
__HPML_DEVICE__ float4 curand_log_normal4(curandStatePhilox4_32_10_t* __s, float __mean, float __stddev) {
  const float2 __a = curand_log_normal2(__s, __mean, __stddev), __b = curand_log_normal2(__s, __mean, __stddev);
  return make_float4(__a.x, __a.y, __b.x, __b.y);
}
__HPML_DEVICE__ double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* __s, double __mean, double __stddev) {
  const double2 __a = curand_log_normal2_double(__s, __mean, __stddev);
  const double2 __b = curand_log_normal2_double(__s, __mean, __stddev);
  return make_double4(__a.x, __a.y, __b.x, __b.y);
}

// The inverse of the normal distribution at a point; points above a half are mirrored, where their fractions would lose
// digits.
__HPML_DEVICE__ float __hpml_quantile(unsigned int __bits) {
  const bool __upper = __bits > 0x80000000U;
  return (__upper ? 1.4142135f : -1.4142135f) * erfcinvf(2.0f * __hpml_fraction(__upper ? ~__bits : __bits));
}
__HPML_DEVICE__ float __hpml_quantile(unsigned long long __bits) {
  return __hpml_quantile(static_cast<unsigned int>(__bits >> 32));
}
__HPML_DEVICE__ double __hpml_fine_quantile(unsigned int __bits) {
  const bool __upper = __bits > 0x80000000U;
  return (__upper ? 1.4142135623730951 : -1.4142135623730951) *
         erfcinv(2.0 * ((__upper ? ~__bits : __bits) * 0x1p-32 + 0x1p-33));
}
__HPML_DEVICE__ double __hpml_fine_quantile(unsigned long long __bits) {
  __bits >>= 11;
  const bool __upper = __bits > 1ULL << 52;
  return (__upper ? 1.4142135623730951 : -1.4142135623730951) *
         erfcinv(2.0 * ((__upper ? (1ULL << 53) - 1 - __bits : __bits) * 0x1p-53 + 0x1p-54));
}

#define __HPML_QUASI_NORMAL__(__state)                                                                       \
  __HPML_DEVICE__ float curand_normal(__state* __s) { return __hpml_quantile(curand(__s)); }                 \
  __HPML_DEVICE__ double curand_normal_double(__state* __s) { return __hpml_fine_quantile(curand(__s)); }    \
  __HPML_DEVICE__ float curand_log_normal(__state* __s, float __mean, float __stddev) {                      \
    return expf(__mean + __stddev * curand_normal(__s));                                                     \
  }                                                                                                          \
  __HPML_DEVICE__ double curand_log_normal_double(__state* __s, double __mean, double __stddev) {            \
    return exp(__mean + __stddev * curand_normal_double(__s));                                               \
  }
__HPML_QUASI_NORMAL__(curandStateSobol32_t)
__HPML_QUASI_NORMAL__(curandStateScrambledSobol32_t)
__HPML_QUASI_NORMAL__(curandStateSobol64_t)
__HPML_QUASI_NORMAL__(curandStateScrambledSobol64_t)
