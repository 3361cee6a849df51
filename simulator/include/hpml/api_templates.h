// The C++ face of the runtime API: typed pointers, symbols by reference, kernels by name. Like NVIDIA's headers these
// hide names: cudaMallocHost(T**) links cudaHostAlloc, the occupancy call links its ...WithFlags form.
#pragma once

#include "../cuda_runtime_api.h"

template <class __T>
__HPML_HOST__ cudaError_t cudaMalloc(__T** __ptr, size_t __size) {
  return ::cudaMalloc(reinterpret_cast<void**>(__ptr), __size);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMallocPitch(__T** __ptr, size_t* __pitch, size_t __width, size_t __height) {
  return ::cudaMallocPitch(reinterpret_cast<void**>(__ptr), __pitch, __width, __height);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMallocHost(__T** __ptr, size_t __size, unsigned int __flags = 0) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(__ptr), __size, __flags);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaHostAlloc(__T** __ptr, size_t __size, unsigned int __flags) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(__ptr), __size, __flags);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaHostGetDevicePointer(__T** __device, void* __host, unsigned int __flags) {
  return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(__device), __host, __flags);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMallocManaged(__T** __ptr, size_t __size, unsigned int __flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(reinterpret_cast<void**>(__ptr), __size, __flags);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMallocAsync(__T** __ptr, size_t __size, cudaStream_t __stream) {
  return ::cudaMallocAsync(reinterpret_cast<void**>(__ptr), __size, __stream);
}
__HPML_HOST__ cudaError_t cudaEventCreate(cudaEvent_t* __event, unsigned int __flags) {
  return ::cudaEventCreateWithFlags(__event, __flags);
}

template <class __T>
__HPML_HOST__ cudaError_t cudaMemcpyToSymbol(const __T& __symbol, const void* __src, size_t __count,
                                             size_t __offset = 0, cudaMemcpyKind __kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(reinterpret_cast<const void*>(&reinterpret_cast<const char&>(__symbol)), __src, __count,
                              __offset, __kind);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMemcpyFromSymbol(void* __dst, const __T& __symbol, size_t __count, size_t __offset = 0,
                                               cudaMemcpyKind __kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(__dst, reinterpret_cast<const void*>(&reinterpret_cast<const char&>(__symbol)),
                                __count, __offset, __kind);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMemcpyToSymbolAsync(const __T& __symbol, const void* __src, size_t __count,
                                                  size_t __offset = 0, cudaMemcpyKind __kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t __stream = 0) {
  return ::cudaMemcpyToSymbolAsync(reinterpret_cast<const void*>(&reinterpret_cast<const char&>(__symbol)), __src,
                                   __count, __offset, __kind, __stream);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMemcpyFromSymbolAsync(void* __dst, const __T& __symbol, size_t __count,
                                                    size_t __offset = 0,
                                                    cudaMemcpyKind __kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t __stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(__dst, reinterpret_cast<const void*>(&reinterpret_cast<const char&>(__symbol)),
                                     __count, __offset, __kind, __stream);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaGetSymbolAddress(void** __ptr, const __T& __symbol) {
  return ::cudaGetSymbolAddress(__ptr, reinterpret_cast<const void*>(&reinterpret_cast<const char&>(__symbol)));
}
template <class __T>
__HPML_HOST__ cudaError_t cudaGetSymbolSize(size_t* __size, const __T& __symbol) {
  return ::cudaGetSymbolSize(__size, reinterpret_cast<const void*>(&reinterpret_cast<const char&>(__symbol)));
}

template <class __T>
__HPML_HOST__ cudaError_t cudaLaunchKernel(__T* __func, dim3 __grid, dim3 __block, void** __args, size_t __shared = 0,
                                           cudaStream_t __stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void*>(__func), __grid, __block, __args, __shared, __stream);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaLaunchCooperativeKernel(__T* __func, dim3 __grid, dim3 __block, void** __args,
                                                      size_t __shared = 0, cudaStream_t __stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(__func), __grid, __block, __args, __shared,
                                       __stream);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* __attr, __T* __func) {
  return ::cudaFuncGetAttributes(__attr, reinterpret_cast<const void*>(__func));
}
template <class __T>
__HPML_HOST__ cudaError_t cudaFuncSetAttribute(__T* __func, cudaFuncAttribute __attr, int __value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(__func), __attr, __value);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaFuncSetCacheConfig(__T* __func, cudaFuncCache __config) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(__func), __config);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaFuncSetSharedMemConfig(__T* __func, cudaSharedMemConfig __config) {
  return ::cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(__func), __config);
}
