// Philox 4x32-10: ten rounds over a counter, by a key (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
#pragma once

#include "random_state.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr;           // low half: of blocks of four numbers; high half: the subsequence
  uint4 output;        // of ctr
  uint2 key;           // the seed
  unsigned int STATE;  // the next of `output`
  __HPML_KEPT_NORMAL__;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

__HPML_DEVICE__ uint4 curand_Philox4x32_10(uint4 __c, uint2 __key) {
  for (int __round = 0; __round < 10; ++__round) {
    const unsigned long long __a = 0xD2511F53ULL * __c.x, __b = 0xCD9E8D57ULL * __c.z;
    __c = make_uint4(static_cast<unsigned int>(__b >> 32) ^ __c.y ^ __key.x, static_cast<unsigned int>(__b),
                     static_cast<unsigned int>(__a >> 32) ^ __c.w ^ __key.y, static_cast<unsigned int>(__a));
    __key.x += 0x9E3779B9U;
    __key.y += 0xBB67AE85U;
  }
  return __c;
}

// 64 bits of the counter on; returns what is carried out of them.
__HPML_DEVICE__ bool __hpml_advance(unsigned int& __low, unsigned int& __high, unsigned long long __n) {
  const unsigned long long __before = static_cast<unsigned long long>(__high) << 32 | __low, __after = __before + __n;
  __low = static_cast<unsigned int>(__after);
  __high = static_cast<unsigned int>(__after >> 32);
  return __after < __before;
}

__HPML_DEVICE__ void __hpml_advance(curandStatePhilox4_32_10_t* __s, unsigned long long __blocks) {
  if (__hpml_advance(__s->ctr.x, __s->ctr.y, __blocks)) {
    __hpml_advance(__s->ctr.z, __s->ctr.w, 1);
  }
  __s->output = curand_Philox4x32_10(__s->ctr, __s->key);
}

__HPML_DEVICE__ void skipahead(unsigned long long __n, curandStatePhilox4_32_10_t* __s) {
  __s->STATE += static_cast<unsigned int>(__n & 3);
  __hpml_advance(__s, __n / 4 + __s->STATE / 4);
  __s->STATE %= 4;
}

__HPML_DEVICE__ void skipahead_sequence(unsigned long long __n, curandStatePhilox4_32_10_t* __s) {
  __hpml_advance(__s->ctr.z, __s->ctr.w, __n);
  __s->output = curand_Philox4x32_10(__s->ctr, __s->key);
}

__HPML_DEVICE__ void curand_init(unsigned long long __seed, unsigned long long __subsequence, unsigned long long __offset,
                                 curandStatePhilox4_32_10_t* __s) {
  __s->ctr = make_uint4(0, 0, static_cast<unsigned int>(__subsequence), static_cast<unsigned int>(__subsequence >> 32));
  __s->key = make_uint2(static_cast<unsigned int>(__seed), static_cast<unsigned int>(__seed >> 32));
  __s->STATE = 0;
  skipahead(__offset, __s);
  __hpml_forget_normal(__s);
}

__HPML_DEVICE__ unsigned int curand(curandStatePhilox4_32_10_t* __s) {
  unsigned int __number = __s->output.w;
  switch (__s->STATE) {
    case 0: __number = __s->output.x; break;
    case 1: __number = __s->output.y; break;
    case 2: __number = __s->output.z; break;
  }
  if (++__s->STATE == 4) {
    __hpml_advance(__s, 1);
    __s->STATE = 0;
  }
  return __number;
}

// The next four.
__HPML_DEVICE__ uint4 curand4(curandStatePhilox4_32_10_t* __s) {
  const uint4 __a = __s->output;
  __hpml_advance(__s, 1);
  const uint4 __b = __s->output;
  switch (__s->STATE) {
    case 0: return __a;
    case 1: return make_uint4(__a.y, __a.z, __a.w, __b.x);
    case 2: return make_uint4(__a.z, __a.w, __b.x, __b.y);
    default: return make_uint4(__a.w, __b.x, __b.y, __b.z);
  }
}
