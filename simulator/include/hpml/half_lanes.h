// Halves, bfloat16s and their pairs between lanes (shuffles) and in memory that threads share (atomic additions).
#pragma once

#include "../device_functions.h"

#ifdef __CUDA__
#define __HPML_SHORT_SHUFFLE__(__t, __name)                                                                   \
  __HPML_DEVICE__ __t __name(unsigned int __mask, __t __value, int __lane, int __width = 32) {                \
    unsigned int __bits = 0;                                                                                  \
    __builtin_memcpy(&__bits, &__value, sizeof __value);                                                      \
    __bits = ::__name(__mask, __bits, __lane, __width);                                                       \
    __builtin_memcpy(&__value, &__bits, sizeof __value);                                                      \
    return __value;                                                                                           \
  }
#define __HPML_SHORT_SHUFFLES__(__t)                                                                          \
  __HPML_SHORT_SHUFFLE__(__t, __shfl_sync)                                                                    \
  __HPML_SHORT_SHUFFLE__(__t, __shfl_up_sync)                                                                 \
  __HPML_SHORT_SHUFFLE__(__t, __shfl_down_sync)                                                               \
  __HPML_SHORT_SHUFFLE__(__t, __shfl_xor_sync)

// Additions without an instruction of their own on the architecture that clang compiles for: the word is read, changed
// and exchanged until nobody has come in between. `__word`: unsigned short or unsigned int.
#define __HPML_ADD_BY_EXCHANGE__(__t, __word, __sum)                                                          \
  __HPML_DEVICE__ __t atomicAdd(__t* __p, __t __v) {                                                          \
    __word* const __at = reinterpret_cast<__word*>(__p);                                                      \
    __word __seen = *reinterpret_cast<volatile __word*>(__at);                                                \
    for (;;) {                                                                                                \
      __t __old;                                                                                              \
      __builtin_memcpy(&__old, &__seen, sizeof __old);                                                        \
      const __t __new = __sum;                                                                                \
      __word __bits;                                                                                          \
      __builtin_memcpy(&__bits, &__new, sizeof __bits);                                                       \
      const __word __before = atomicCAS(__at, __seen, __bits);                                                \
      if (__before == __seen) {                                                                               \
        return __old;                                                                                         \
      }                                                                                                       \
      __seen = __before;                                                                                      \
    }                                                                                                         \
  }
#endif
