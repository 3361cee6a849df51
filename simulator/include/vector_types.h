// int2, float4, dim3 and the like: sizes and alignments of the CUDA C++ Programming Guide, "Built-in Vector Types".
#pragma once

#include "host_defines.h"

#define __HPML_VECTOR__(__elem, __name, __align2, __align4) \
  struct __name##1 {                                        \
    __elem x;                                               \
  };                                                        \
  struct __attribute__((aligned(__align2))) __name##2 {     \
    __elem x, y;                                            \
  };                                                        \
  struct __name##3 {                                        \
    __elem x, y, z;                                         \
  };                                                        \
  struct __attribute__((aligned(__align4))) __name##4 {     \
    __elem x, y, z, w;                                      \
  };                                                        \
  typedef struct __name##1 __name##1;                       \
  typedef struct __name##2 __name##2;                       \
  typedef struct __name##3 __name##3;                       \
  typedef struct __name##4 __name##4;

// element type, name, alignment of the pair, alignment of the quadruple (no vector is aligned beyond 16 bytes)
__HPML_VECTOR__(signed char, char, 2, 4)
__HPML_VECTOR__(unsigned char, uchar, 2, 4)
__HPML_VECTOR__(short, short, 4, 8)
__HPML_VECTOR__(unsigned short, ushort, 4, 8)
__HPML_VECTOR__(int, int, 8, 16)
__HPML_VECTOR__(unsigned int, uint, 8, 16)
__HPML_VECTOR__(long int, long, 16, 16)
__HPML_VECTOR__(unsigned long int, ulong, 16, 16)
__HPML_VECTOR__(long long int, longlong, 16, 16)
__HPML_VECTOR__(unsigned long long int, ulonglong, 16, 16)
__HPML_VECTOR__(float, float, 8, 16)
__HPML_VECTOR__(double, double, 16, 16)
#undef __HPML_VECTOR__

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int __x = 1, unsigned int __y = 1, unsigned int __z = 1)
      : x(__x), y(__y), z(__z) {}
  __host__ __device__ constexpr dim3(uint3 __v) : x(__v.x), y(__v.y), z(__v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
