// Sobol's sequences in the order of the Gray code (Antonov and Saleev, 1979): from a point to the next, one direction
// number is added. A scrambled sequence is one to whose points a constant is added (modulo 2, bit by bit).
#pragma once

#include "random_state.h"

#define __HPML_SOBOL_STATE__(__name, __word, __bits) \
  struct __name {                                    \
    __word i, x, c;                                  \
    __word direction_vectors[__bits];                \
  };                                                 \
  typedef struct __name __name##_t

__HPML_SOBOL_STATE__(curandStateSobol32, unsigned int, 32);
__HPML_SOBOL_STATE__(curandStateScrambledSobol32, unsigned int, 32);
__HPML_SOBOL_STATE__(curandStateSobol64, unsigned long long, 64);
__HPML_SOBOL_STATE__(curandStateScrambledSobol64, unsigned long long, 64);

template <class __state, class __word>
__HPML_DEVICE__ void __hpml_sobol_skip(__state* __s, __word __n) {
  __s->i += __n;
  __s->x = __s->c;
  const __word __gray = __s->i ^ __s->i >> 1;
  for (unsigned int __k = 0; __k < 8 * sizeof(__word); ++__k) {
    __s->x ^= __s->direction_vectors[__k] & static_cast<__word>(0 - (__gray >> __k & 1));
  }
}

template <class __state, class __word>
__HPML_DEVICE__ void __hpml_sobol_start(__state* __s, const __word* __directions, __word __scramble, __word __offset) {
  for (unsigned int __k = 0; __k < 8 * sizeof(__word); ++__k) {
    __s->direction_vectors[__k] = __directions[__k];
  }
  __s->i = 0;
  __s->c = __scramble;
  __hpml_sobol_skip(__s, __offset);
}

// The last direction stands for the change that a full counter would ask for.
template <class __state>
__HPML_DEVICE__ auto __hpml_sobol_next(__state* __s) {
  const auto __point = __s->x;
  const int __zero = __ffsll(static_cast<long long>(~__s->i & (~0ULL >> (64 - 8 * sizeof __s->i))));
  __s->x ^= __s->direction_vectors[__zero != 0 ? __zero - 1 : 8 * sizeof __s->i - 1];
  ++__s->i;
  return __point;
}

#define __HPML_SOBOL__(__state, __word)                                                                     \
  __HPML_DEVICE__ void skipahead(__word __n, __state##_t* __s) { __hpml_sobol_skip(__s, __n); }             \
  __HPML_DEVICE__ __word curand(__state##_t* __s) { return __hpml_sobol_next(__s); }
#define __HPML_PLAIN_SOBOL__(__state, __word, __directions)                                                 \
  __HPML_SOBOL__(__state, __word)                                                                           \
  __HPML_DEVICE__ void curand_init(__directions __v, __word __offset, __state##_t* __s) {                   \
    __hpml_sobol_start<__state, __word>(__s, __v, 0, __offset);                                             \
  }
#define __HPML_SCRAMBLED_SOBOL__(__state, __word, __directions)                                             \
  __HPML_SOBOL__(__state, __word)                                                                           \
  __HPML_DEVICE__ void curand_init(__directions __v, __word __scramble, __word __offset, __state##_t* __s) { \
    __hpml_sobol_start<__state, __word>(__s, __v, __scramble, __offset);                                    \
  }

__HPML_PLAIN_SOBOL__(curandStateSobol32, unsigned int, curandDirectionVectors32_t)
__HPML_PLAIN_SOBOL__(curandStateSobol64, unsigned long long, curandDirectionVectors64_t)
__HPML_SCRAMBLED_SOBOL__(curandStateScrambledSobol32, unsigned int, curandDirectionVectors32_t)
__HPML_SCRAMBLED_SOBOL__(curandStateScrambledSobol64, unsigned long long, curandDirectionVectors64_t)
