// Poisson numbers, by the methods that NVIDIA's curand_poisson.h uses for each range of the mean, so that a state moves
// on by as many numbers.
#pragma once

#include "random_normal.h"

// Products of uniform numbers (Knuth, The Art of Computer Programming, vol. 2, 3.4.1).
template <class __state>
__HPML_DEVICE__ unsigned int __hpml_poisson_product(__state* __s, float __mean) {
  unsigned int __count = 0;
  for (float __left = expf(__mean) * curand_uniform(__s); __left > 1; __left *= curand_uniform(__s)) {
    ++__count;
  }
  return __count;
}

// Rejection. The regularised incomplete gamma function of (a, x) is taken as (1 + exp(alpha (a - x) - beta))^-2, where
// alpha and beta are linear in 1 / sqrt(a) (constants of NVIDIA's header): its inverse gives a candidate, which is kept
// with the probability of the distribution over 1.3 times that of the candidate.
struct __hpml_gamma_like {
  float __mean, __alpha, __beta;
  __device__ explicit __hpml_gamma_like(float __a)
      : __mean(__a),
        __alpha(1.43248035f * rsqrtf(__a - 0.12400979f) + 0.000253611071f),
        __beta(0.210967349f * rsqrtf(__a - 1.97381164f) + 0.942017341f) {}
  __device__ float __below(float __x) const {
    const float __t = 1.0f + __expf(__alpha * (__mean - __x) - __beta);
    return __fdividef(1.0f, __t * __t);
  }
  __device__ float __inverse(float __y) const {
    return __mean - (__beta + __logf(rsqrtf(__y) - 1.0f)) * __fdividef(1.0f, __alpha);
  }
};
template <class __state>
__HPML_DEVICE__ unsigned int __hpml_poisson_rejection(__state* __s, float __mean) {
  const __hpml_gamma_like __candidates(__mean);
  const float __log_mean = __logf(__mean);
  for (;;) {
    const float __x = floorf(__candidates.__inverse(curand_uniform(__s)));
    const float __bound = (__candidates.__below(__x + 1) - __candidates.__below(__x)) * 1.3f;
    const float __height = curand_uniform(__s) * __bound;
    const float __probability = __expf(-__mean + __x * __log_mean - static_cast<float>(lgamma(1.0 + __x)));
    if (__height < __probability && __bound >= 1e-20f) {
      return static_cast<unsigned int>(__x);
    }
  }
}

__HPML_DEVICE__ unsigned int __hpml_poisson_rounded(double __mean, double __normal) {
  return static_cast<unsigned int>(sqrt(__mean) * __normal + __mean + 0.5);
}

template <class __state>
__HPML_DEVICE__ unsigned int curand_poisson(__state* __s, double __mean) {
  if (__mean < 64) {
    return __hpml_poisson_product(__s, static_cast<float>(__mean));
  }
  if (__mean > 4000) {
    return __hpml_poisson_rounded(__mean, curand_normal_double(__s));
  }
  return __hpml_poisson_rejection(__s, static_cast<float>(__mean));
}

__HPML_DEVICE__ uint4 curand_poisson4(curandStatePhilox4_32_10_t* __s, double __mean) {
  if (__mean > 4000) {
    const double4 __n = curand_normal4_double(__s);
    return make_uint4(__hpml_poisson_rounded(__mean, __n.x), __hpml_poisson_rounded(__mean, __n.y),
                      __hpml_poisson_rounded(__mean, __n.z), __hpml_poisson_rounded(__mean, __n.w));
  }
  const unsigned int __a = curand_poisson(__s, __mean), __b = curand_poisson(__s, __mean);
  const unsigned int __c = curand_poisson(__s, __mean), __d = curand_poisson(__s, __mean);
  return make_uint4(__a, __b, __c, __d);
}

// One point of a quasirandom sequence: the inverse of the distribution (Fishman, Discrete-Event Simulation, 2001), in
// steps of 500 so that exp() does not underflow.
__HPML_DEVICE__ unsigned int __hpml_poisson_inverse(double __u, double __mean) {
  double __chance = 1, __below = 1;
  unsigned int __k = 0;
  for (int __done = 0; __done == 0 || __done < __mean; __done += 500) {
    const double __factor = exp(__mean > __done + 500.0 ? -500.0 : __done - __mean);
    __chance *= __factor;
    __below *= __factor;
    while (__u > __below) {
      ++__k;
      __chance *= __mean / __k;
      __below += __chance;
    }
  }
  return __k;
}
__HPML_DEVICE__ double __hpml_open_fraction(unsigned int __bits) { return __bits * 0x1p-32 + 0x1p-33; }
__HPML_DEVICE__ double __hpml_open_fraction(unsigned long long __bits) { return (__bits >> 11) * 0x1p-53 + 0x1p-55; }

#define __HPML_QUASI_POISSON__(__state)                                                 \
  __HPML_DEVICE__ unsigned int curand_poisson(__state* __s, double __mean) {            \
    const auto __point = curand(__s);                                                   \
    return __mean < 1000 ? __hpml_poisson_inverse(__hpml_open_fraction(__point), __mean) \
                         : __hpml_poisson_rounded(__mean, __hpml_fine_quantile(__point)); \
  }
__HPML_QUASI_POISSON__(curandStateSobol32_t)
__HPML_QUASI_POISSON__(curandStateScrambledSobol32_t)
__HPML_QUASI_POISSON__(curandStateSobol64_t)
__HPML_QUASI_POISSON__(curandStateScrambledSobol64_t)
