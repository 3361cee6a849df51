// XORWOW: a linear shift register of 160 bits over GF(2), plus a counter (Marsaglia, "Xorshift RNGs", 2003).
#pragma once

#include "random_state.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  __HPML_KEPT_NORMAL__;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

// Jumps. A step T of the register is linear, so T^n = f(T) for the polynomial f = x^n modulo T's minimal polynomial
// (Haramoto et al., "Efficient jump ahead for F2-linear random number generators", 2008).
struct __hpml_polynomial {  // over GF(2); the bits are the coefficients, from x^0
  unsigned int __word[5];
};

struct __hpml_xorwow_powers {
  static constexpr int __degree = 160;
  static constexpr int __subsequence = 67;  // subsequences are 2^67 steps apart
  __hpml_polynomial __of[__subsequence + 64];  // x^(2^n)

  constexpr __hpml_xorwow_powers() : __of{} {
    __hpml_polynomial __even[__degree] = {{{1, 0, 0, 0, 0}}};  // x^(2n): squaring is linear
    for (int __n = 1; __n < __degree; ++__n) {
      __even[__n] = __times_x(__times_x(__even[__n - 1]));
    }
    __of[0] = {{2, 0, 0, 0, 0}};
    for (int __n = 1; __n < __subsequence + 64; ++__n) {
      for (int __bit = 0; __bit < __degree; ++__bit) {
        if (__of[__n - 1].__word[__bit / 32] >> __bit % 32 & 1U) {
          for (int __i = 0; __i < 5; ++__i) {
            __of[__n].__word[__i] ^= __even[__bit].__word[__i];
          }
        }
      }
    }
  }

 private:
  // Modulo the minimal polynomial: x^160 is the sum of these powers.
  static constexpr __hpml_polynomial __times_x(const __hpml_polynomial& __f) {
    constexpr unsigned int __x160[5] = {0x00060001U, 0x08610030U, 0x00062121U, 0x0f3c0035U, 0x00000f0eU};
    const unsigned int __carry = 0U - (__f.__word[4] >> 31);
    __hpml_polynomial __product{};
    for (int __i = 0; __i < 5; ++__i) {
      __product.__word[__i] = (__f.__word[__i] << 1 | (__i > 0 ? __f.__word[__i - 1] >> 31 : 0U)) ^ (__x160[__i] & __carry);
    }
    return __product;
  }
};

__HPML_DEVICE__ void __hpml_step(curandStateXORWOW_t* __s) {
  const unsigned int __t = __s->v[0] ^ __s->v[0] >> 2;
  __s->v[0] = __s->v[1];
  __s->v[1] = __s->v[2];
  __s->v[2] = __s->v[3];
  __s->v[3] = __s->v[4];
  __s->v[4] = __s->v[4] ^ __s->v[4] << 4 ^ __t ^ __t << 1;
}

// The register by n * 2^first steps; the counter stays.
__HPML_DEVICE__ void __hpml_jump(curandStateXORWOW_t* __s, unsigned long long __n, int __first) {
  static constexpr __hpml_xorwow_powers __powers;
  for (const __hpml_polynomial* __f = __powers.__of + __first; __n != 0; __n >>= 1, ++__f) {
    if (__n & 1) {
      unsigned int __sum[5] = {0, 0, 0, 0, 0};
      for (int __word = 0; __word < 5; ++__word) {
        for (unsigned int __bits = __f->__word[__word], __i = 0; __i < 32; __bits >>= 1, ++__i) {
          const unsigned int __set = 0U - (__bits & 1U);
          for (int __j = 0; __j < 5; ++__j) {
            __sum[__j] ^= __s->v[__j] & __set;
          }
          __hpml_step(__s);
        }
      }
      for (int __j = 0; __j < 5; ++__j) {
        __s->v[__j] = __sum[__j];
      }
    }
  }
}

__HPML_DEVICE__ void skipahead(unsigned long long __n, curandStateXORWOW_t* __s) {
  __hpml_jump(__s, __n, 0);
  __s->d += 362437U * static_cast<unsigned int>(__n);
}

// 2^67 steps add a multiple of 2^32 to the counter.
__HPML_DEVICE__ void skipahead_sequence(unsigned long long __n, curandStateXORWOW_t* __s) {
  __hpml_jump(__s, __n, __hpml_xorwow_powers::__subsequence);
}

// How a seed becomes a state: constants of curand_init() in NVIDIA's curand_kernel.h.
__HPML_DEVICE__ void curand_init(unsigned long long __seed, unsigned long long __subsequence, unsigned long long __offset,
                                 curandStateXORWOW_t* __s) {
  const unsigned int __low = 1099087573U * (static_cast<unsigned int>(__seed) ^ 0xaad26b49U);
  const unsigned int __high = 2591861531U * (static_cast<unsigned int>(__seed >> 32) ^ 0xf7dcefddU);
  __s->d = 6615241U + __high + __low;
  __s->v[0] = 123456789U + __low;
  __s->v[1] = 362436069U ^ __low;
  __s->v[2] = 521288629U + __high;
  __s->v[3] = 88675123U ^ __high;
  __s->v[4] = 5783321U + __low;
  skipahead_sequence(__subsequence, __s);
  skipahead(__offset, __s);
  __hpml_forget_normal(__s);
}

__HPML_DEVICE__ unsigned int curand(curandStateXORWOW_t* __s) {
  __hpml_step(__s);
  __s->d += 362437U;
  return __s->v[4] + __s->d;
}
