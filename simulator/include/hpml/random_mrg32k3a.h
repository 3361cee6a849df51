// MRG32k3a: two linear recurrences of order three, modulo two primes (L'Ecuyer, "Good parameters and implementations for
// combined multiple recursive random number generators", 1999).
#pragma once

#include "random_state.h"

struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  __HPML_KEPT_NORMAL__;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

struct __hpml_mrg_matrix {
  unsigned int __at[3][3];
};

// By how many steps a jump is; subsequences are 2^76, sequences 2^127 steps apart.
struct __hpml_mrg_powers {
  static constexpr int __subsequence = 76, __sequence = 127;
  __hpml_mrg_matrix __of[__sequence + 64];  // of 2^n steps

  constexpr __hpml_mrg_powers(const __hpml_mrg_matrix& __step, unsigned long long __modulus) : __of{} {
    __of[0] = __step;
    for (int __n = 1; __n < __sequence + 64; ++__n) {
      for (int __i = 0; __i < 3; ++__i) {
        for (int __j = 0; __j < 3; ++__j) {
          unsigned long long __sum = 0;
          for (int __k = 0; __k < 3; ++__k) {
            __sum += 1ULL * __of[__n - 1].__at[__i][__k] * __of[__n - 1].__at[__k][__j] % __modulus;
          }
          __of[__n].__at[__i][__j] = static_cast<unsigned int>(__sum % __modulus);
        }
      }
    }
  }
};

// x(n) = 1403580 x(n-2) - 810728 x(n-3) and x(n) = 527612 x(n-1) - 1370589 x(n-3).
constexpr unsigned int __hpml_mrg_modulus1 = 4294967087U, __hpml_mrg_modulus2 = 4294944443U;
constexpr __hpml_mrg_matrix __hpml_mrg_step1 = {{{0, 1, 0}, {0, 0, 1}, {__hpml_mrg_modulus1 - 810728U, 1403580U, 0}}};
constexpr __hpml_mrg_matrix __hpml_mrg_step2 = {{{0, 1, 0}, {0, 0, 1}, {__hpml_mrg_modulus2 - 1370589U, 0, 527612U}}};

__HPML_DEVICE__ void __hpml_jump(unsigned int (&__x)[3], unsigned long long __n, const __hpml_mrg_matrix* __power,
                                 unsigned int __modulus) {
  for (; __n != 0; __n >>= 1, ++__power) {
    if (__n & 1) {
      unsigned int __y[3];
      for (int __i = 0; __i < 3; ++__i) {
        unsigned long long __sum = 0;
        for (int __j = 0; __j < 3; ++__j) {
          __sum += 1ULL * __power->__at[__i][__j] * __x[__j] % __modulus;
        }
        __y[__i] = static_cast<unsigned int>(__sum % __modulus);
      }
      for (int __i = 0; __i < 3; ++__i) {
        __x[__i] = __y[__i];
      }
    }
  }
}

__HPML_DEVICE__ void __hpml_jump(curandStateMRG32k3a_t* __s, unsigned long long __n, int __first) {
  static constexpr __hpml_mrg_powers __powers1{__hpml_mrg_step1, __hpml_mrg_modulus1};
  static constexpr __hpml_mrg_powers __powers2{__hpml_mrg_step2, __hpml_mrg_modulus2};
  __hpml_jump(__s->s1, __n, __powers1.__of + __first, __hpml_mrg_modulus1);
  __hpml_jump(__s->s2, __n, __powers2.__of + __first, __hpml_mrg_modulus2);
}

__HPML_DEVICE__ void skipahead(unsigned long long __n, curandStateMRG32k3a_t* __s) { __hpml_jump(__s, __n, 0); }
__HPML_DEVICE__ void skipahead_subsequence(unsigned long long __n, curandStateMRG32k3a_t* __s) {
  __hpml_jump(__s, __n, __hpml_mrg_powers::__subsequence);
}
__HPML_DEVICE__ void skipahead_sequence(unsigned long long __n, curandStateMRG32k3a_t* __s) {
  __hpml_jump(__s, __n, __hpml_mrg_powers::__sequence);
}

// How a seed becomes a state: constants of curand_init() in NVIDIA's curand_kernel.h.
__HPML_DEVICE__ void curand_init(unsigned long long __seed, unsigned long long __subsequence, unsigned long long __offset,
                                 curandStateMRG32k3a_t* __s) {
  const unsigned long long __low = __seed == 0 ? 1 : static_cast<unsigned int>(__seed) ^ 0x55555555U;
  const unsigned long long __high = __seed == 0 ? 1 : static_cast<unsigned int>(__seed >> 32) ^ 0xAAAAAAAAU;
  for (int __i = 0; __i < 3; ++__i) {
    __s->s1[__i] = static_cast<unsigned int>((__i == 1 ? __high : __low) * 12345U % __hpml_mrg_modulus1);
    __s->s2[__i] = static_cast<unsigned int>((__i == 1 ? __low : __high) * 12345U % __hpml_mrg_modulus2);
  }
  skipahead_subsequence(__subsequence, __s);
  skipahead(__offset, __s);
  __hpml_forget_normal(__s);
}

// A step; its number, from 1 to the first modulus.
__HPML_DEVICE__ double curand_MRG32k3a(curandStateMRG32k3a_t* __s) {
  const unsigned int __x = static_cast<unsigned int>(
      (1403580ULL * __s->s1[1] + 810728ULL * (__hpml_mrg_modulus1 - __s->s1[0])) % __hpml_mrg_modulus1);
  const unsigned int __y = static_cast<unsigned int>(
      (527612ULL * __s->s2[2] + 1370589ULL * (__hpml_mrg_modulus2 - __s->s2[0])) % __hpml_mrg_modulus2);
  __s->s1[0] = __s->s1[1];
  __s->s1[1] = __s->s1[2];
  __s->s1[2] = __x;
  __s->s2[0] = __s->s2[1];
  __s->s2[1] = __s->s2[2];
  __s->s2[2] = __y;
  return __x <= __y ? __x - __y + __hpml_mrg_modulus1 : __x - __y;
}

// Spread over all 32 bits.
__HPML_DEVICE__ unsigned int curand(curandStateMRG32k3a_t* __s) {
  return static_cast<unsigned int>(curand_MRG32k3a(__s) * 1.000000048662);
}
