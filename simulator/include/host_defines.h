// The attribute words of CUDA C++. clang knows the attributes themselves in its CUDA mode (-x cuda); in an
// ordinary C or C++ file they mean nothing and must vanish.
// Every name in these headers is reserved or public CUDA: student macros such as N, W or TILE come first.
#pragma once
#define __HOST_DEFINES_H__  // headers of others look whether it was included

#if defined(__CUDA__)
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// clang has no managed variables for CUDA. The page alignment marks one in the device code; cuda_compile.py turns
// the mark into PTX's `.attribute(.managed)`, and our libcudart keeps such a variable in the memory of its host shadow.
#define __managed__ __attribute__((device, aligned(4096)))
// Nor clusters: an annotation with their extents, which cuda_compile.py writes into the PTX.
#define __cluster_dims__(...) __attribute__((annotate("hpml.cluster_dims", __VA_ARGS__)))
#define __grid_constant__
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#endif

#ifndef __cplusplus
#define __HPML_EXTERN_C__
#else
#define __HPML_EXTERN_C__ extern "C"
#endif

// A function of these headers that exists on the device only, on both sides, or in host code only. Without debug
// information of its own, so that line information names the line of the program that calls it.
#define __HPML_DEVICE__ static __inline__ __attribute__((always_inline, nodebug)) __device__
#define __HPML_BOTH__ static __inline__ __attribute__((always_inline, nodebug)) __host__ __device__
#define __HPML_HOST__ static __inline__ __attribute__((unused))

#define __forceinline__ __inline__ __attribute__((always_inline))
// From clang 16 on `__noinline__` is a keyword in CUDA mode; see bits/shared_ptr_base.h for the older ones.
#if defined(__CUDA__)
#if !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif
#endif
#define __align__(...) __attribute__((aligned(__VA_ARGS__)))
#define __cudart_builtin__
#define __device_builtin__
#define __builtin_align__(...) __align__(__VA_ARGS__)
#define CUDARTAPI
#define CUDART_CB
