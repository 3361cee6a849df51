// Occupancy questions about a kernel, and the block size that answers best.
#pragma once

#include "api_templates.h"

template <class __T>
__HPML_HOST__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* __blocks, __T __func, int __threads,
                                                                        size_t __shared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(__blocks, reinterpret_cast<const void*>(__func),
                                                                  __threads, __shared, cudaOccupancyDefault);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* __bytes, __T* __func, int __blocks,
                                                                    int __threads) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(__bytes, reinterpret_cast<const void*>(__func), __blocks, __threads);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* __blocks, __T __func,
                                                                                 int __threads, size_t __shared,
                                                                                 unsigned int __flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(__blocks, reinterpret_cast<const void*>(__func),
                                                                  __threads, __shared, __flags);
}

// Tries every multiple of the warp size, the largest first, and keeps the one with most resident threads.
// __shared_of(block size) gives the dynamic shared memory that a block of this size needs.
template <class __F, class __T>
__HPML_HOST__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* __min_grid, int* __block,
                                                                                  __T __func, __F __shared_of,
                                                                                  int __limit, unsigned int __flags) {
  if (!__min_grid || !__block || !__func) {
    return cudaErrorInvalidValue;
  }
  int __device = 0, __sms = 0, __warp = 0, __sm_threads = 0;
  cudaFuncAttributes __attr;
  cudaError_t __error = ::cudaGetDevice(&__device);
  if (__error == cudaSuccess) {
    __error = ::cudaDeviceGetAttribute(&__sms, cudaDevAttrMultiProcessorCount, __device);
  }
  if (__error == cudaSuccess) {
    __error = ::cudaDeviceGetAttribute(&__warp, cudaDevAttrWarpSize, __device);
  }
  if (__error == cudaSuccess) {
    __error = ::cudaDeviceGetAttribute(&__sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, __device);
  }
  if (__error == cudaSuccess) {
    __error = ::cudaFuncGetAttributes(&__attr, reinterpret_cast<const void*>(__func));
  }
  if (__error != cudaSuccess) {
    return __error;
  }
  int __largest = __attr.maxThreadsPerBlock;
  if (__limit > 0 && __limit < __largest) {
    __largest = __limit;
  }
  int __best_threads = 0, __best_blocks = 0, __best_size = 0;
  for (int __rounded = (__largest + __warp - 1) / __warp * __warp; __rounded > 0; __rounded -= __warp) {
    const int __size = __rounded < __largest ? __rounded : __largest;
    int __resident = 0;
    __error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &__resident, reinterpret_cast<const void*>(__func), __size, __shared_of(__size), __flags);
    if (__error != cudaSuccess) {
      return __error;
    }
    if (__resident * __size > __best_threads) {
      __best_threads = __resident * __size;
      __best_blocks = __resident;
      __best_size = __size;
    }
    if (__best_threads == __sm_threads) {
      break;
    }
  }
  *__min_grid = __best_blocks * __sms;
  *__block = __best_size;
  return cudaSuccess;
}
template <class __F, class __T>
__HPML_HOST__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* __min_grid, int* __block, __T __func,
                                                                         __F __shared_of, int __limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(__min_grid, __block, __func, __shared_of, __limit,
                                                                 cudaOccupancyDefault);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int* __min_grid, int* __block, __T __func,
                                                             size_t __shared = 0, int __limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      __min_grid, __block, __func, [__shared](int) { return __shared; }, __limit);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* __min_grid, int* __block, __T __func,
                                                                      size_t __shared, int __limit,
                                                                      unsigned int __flags) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      __min_grid, __block, __func, [__shared](int) { return __shared; }, __limit, __flags);
}
