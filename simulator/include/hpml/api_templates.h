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

// The address a symbol is registered under; the symbol may be volatile, or have an operator& of its own.
template <class __T>
__HPML_HOST__ const void* __hpml_symbol(const __T& __symbol) {
  return const_cast<const char*>(&reinterpret_cast<const volatile char&>(__symbol));
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMemcpyToSymbol(const __T& __symbol, const void* __src, size_t __count,
                                             size_t __offset = 0, cudaMemcpyKind __kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(__hpml_symbol(__symbol), __src, __count,
                              __offset, __kind);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMemcpyFromSymbol(void* __dst, const __T& __symbol, size_t __count, size_t __offset = 0,
                                               cudaMemcpyKind __kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(__dst, __hpml_symbol(__symbol),
                                __count, __offset, __kind);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMemcpyToSymbolAsync(const __T& __symbol, const void* __src, size_t __count,
                                                  size_t __offset = 0, cudaMemcpyKind __kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t __stream = 0) {
  return ::cudaMemcpyToSymbolAsync(__hpml_symbol(__symbol), __src,
                                   __count, __offset, __kind, __stream);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaMemcpyFromSymbolAsync(void* __dst, const __T& __symbol, size_t __count,
                                                    size_t __offset = 0,
                                                    cudaMemcpyKind __kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t __stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(__dst, __hpml_symbol(__symbol),
                                     __count, __offset, __kind, __stream);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaGetSymbolAddress(void** __ptr, const __T& __symbol) {
  return ::cudaGetSymbolAddress(__ptr, __hpml_symbol(__symbol));
}
template <class __T>
__HPML_HOST__ cudaError_t cudaGetSymbolSize(size_t* __size, const __T& __symbol) {
  return ::cudaGetSymbolSize(__size, __hpml_symbol(__symbol));
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

template <class __T>
__HPML_HOST__ cudaError_t cudaOccupancyMaxActiveClusters(int* __clusters, __T* __func,
                                                         const cudaLaunchConfig_t* __config) {
  return ::cudaOccupancyMaxActiveClusters(__clusters, reinterpret_cast<const void*>(__func), __config);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaOccupancyMaxPotentialClusterSize(int* __size, __T* __func,
                                                               const cudaLaunchConfig_t* __config) {
  return ::cudaOccupancyMaxPotentialClusterSize(__size, reinterpret_cast<const void*>(__func), __config);
}

template <class __T>
__HPML_HOST__ cudaError_t cudaMallocFromPoolAsync(__T** __ptr, size_t __size, cudaMemPool_t __pool,
                                                  cudaStream_t __stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(__ptr), __size, __pool, __stream);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t __stream, __T* __ptr, size_t __length = 0,
                                                   unsigned int __flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(__stream, static_cast<void*>(__ptr), __length, __flags);
}
// A launch whose arguments have the kernel's own types (CUDA 12 form).
template <class... __P, class... __A>
__HPML_HOST__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* __config, void (*__func)(__P...),
                                             __A&&... __args) {
  return [&](__P... __converted) {
    void* __pointers[] = {static_cast<void*>(&__converted)..., nullptr};
    return ::cudaLaunchKernelExC(__config, reinterpret_cast<const void*>(__func), __pointers);
  }(static_cast<__A&&>(__args)...);
}

template <class __T>
__HPML_HOST__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* __node, cudaGraph_t __graph,
                                                         const cudaGraphNode_t* __deps, size_t __count,
                                                         const __T& __symbol, const void* __src, size_t __bytes,
                                                         size_t __offset, cudaMemcpyKind __kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(__node, __graph, __deps, __count,
                                          reinterpret_cast<const void*>(&reinterpret_cast<const char&>(__symbol)),
                                          __src, __bytes, __offset, __kind);
}
template <class __T>
__HPML_HOST__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* __node, cudaGraph_t __graph,
                                                           const cudaGraphNode_t* __deps, size_t __count, void* __dst,
                                                           const __T& __symbol, size_t __bytes, size_t __offset,
                                                           cudaMemcpyKind __kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(__node, __graph, __deps, __count, __dst,
                                            reinterpret_cast<const void*>(&reinterpret_cast<const char&>(__symbol)),
                                            __bytes, __offset, __kind);
}

// The forms of CUDA 12, which programs use too.
__HPML_HOST__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t* __exec, cudaGraph_t __graph,
                                               unsigned long long __flags = 0) {
  return ::cudaGraphInstantiateWithFlags(__exec, __graph, __flags);
}
__HPML_HOST__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __exec, cudaGraph_t __graph,
                                              cudaGraphExecUpdateResultInfo* __info) {
  __info->errorFromNode = nullptr;
  return ::cudaGraphExecUpdate(__exec, __graph, &__info->errorNode, &__info->result);
}
__HPML_HOST__ cudaError_t cudaMemPrefetchAsync(const void* __ptr, size_t __count, cudaMemLocation __location,
                                               unsigned int, cudaStream_t __stream = 0) {
  const bool __device = __location.type == cudaMemLocationTypeDevice;
  return ::cudaMemPrefetchAsync(__ptr, __count, __device ? __location.id : cudaCpuDeviceId, __stream);
}
__HPML_HOST__ cudaError_t cudaMemAdvise(const void* __ptr, size_t __count, cudaMemoryAdvise __advice,
                                        cudaMemLocation __location) {
  const bool __device = __location.type == cudaMemLocationTypeDevice;
  return ::cudaMemAdvise(__ptr, __count, __advice, __device ? __location.id : cudaCpuDeviceId);
}
