// threadIdx, blockIdx, blockDim, gridDim, warpSize. Each is an object without storage whose members read a PTX
// special register (clang: Microsoft-style properties), so `threadIdx.x` costs what it costs on the device.
#pragma once

#include "vector_types.h"

#if defined(__CUDA__)
#define __HPML_SREG__(__member, __reg)                                             \
  __declspec(property(get = __get_##__member)) unsigned int __member;              \
  static __inline__ __attribute__((always_inline, device)) unsigned int __get_##__member() { \
    return __nvvm_read_ptx_sreg_##__reg();                                         \
  }
#define __HPML_NO_COPY__(__name)                         \
 private:                                                \
  __device__ __name();                                   \
  __device__ __name(const __name&);                      \
  __device__ void operator=(const __name&) const;        \
  __device__ __name* operator&() const;

// threadIdx and blockIdx are uint3, blockDim and gridDim are dim3 in CUDA: keep the conversions that follow from it.
#define __HPML_INDEX__(__type, __x_reg, __y_reg, __z_reg, __extra) \
  struct __type {                                                  \
    __HPML_SREG__(x, __x_reg)                                      \
    __HPML_SREG__(y, __y_reg)                                      \
    __HPML_SREG__(z, __z_reg)                                      \
    __device__ operator dim3() const { return dim3(x, y, z); }     \
    __extra __HPML_NO_COPY__(__type)                               \
  };

#define __HPML_TO_UINT3__ \
  __device__ operator uint3() const { return uint3{x, y, z}; }
__HPML_INDEX__(__hpml_thread_idx_t, tid_x, tid_y, tid_z, __HPML_TO_UINT3__)
__HPML_INDEX__(__hpml_block_idx_t, ctaid_x, ctaid_y, ctaid_z, __HPML_TO_UINT3__)
__HPML_INDEX__(__hpml_block_dim_t, ntid_x, ntid_y, ntid_z, )
__HPML_INDEX__(__hpml_grid_dim_t, nctaid_x, nctaid_y, nctaid_z, )
#undef __HPML_TO_UINT3__
#undef __HPML_INDEX__
#undef __HPML_NO_COPY__
#undef __HPML_SREG__

#define __HPML_BUILTIN_VAR__ extern const __attribute__((device, weak))
__HPML_BUILTIN_VAR__ __hpml_thread_idx_t threadIdx;
__HPML_BUILTIN_VAR__ __hpml_block_idx_t blockIdx;
__HPML_BUILTIN_VAR__ __hpml_block_dim_t blockDim;
__HPML_BUILTIN_VAR__ __hpml_grid_dim_t gridDim;
#undef __HPML_BUILTIN_VAR__
__attribute__((device)) const int warpSize = 32;
#endif
