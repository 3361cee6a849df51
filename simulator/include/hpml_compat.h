// Force-included by tools/cuda_compile.py with every compiler: keeps programs written for CUDA 11 and 12 compiling with
// CUDA 13, which removed cudaThreadSynchronize, cudaThreadExit and the device-number forms of the managed-memory hints.
#pragma once

#if defined(__CUDACC__) && defined(__cplusplus)
#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000
__attribute__((unused, deprecated("removed in CUDA 13, use cudaDeviceSynchronize"))) static inline cudaError_t
cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
__attribute__((unused, deprecated("removed in CUDA 13, use cudaDeviceReset"))) static inline cudaError_t
cudaThreadExit() {
  return cudaDeviceReset();
}

static inline cudaMemLocation __hpml_location(int __device) {
  cudaMemLocation __location = {};
  __location.type = __device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  __location.id = __device == cudaCpuDeviceId ? 0 : __device;
  return __location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void* __ptr, size_t __count, int __device,
                                               cudaStream_t __stream = 0) {
  return cudaMemPrefetchAsync(__ptr, __count, __hpml_location(__device), 0, __stream);
}
static inline cudaError_t cudaMemAdvise(const void* __ptr, size_t __count, cudaMemoryAdvise __advice, int __device) {
  return cudaMemAdvise(__ptr, __count, __advice, __hpml_location(__device));
}
#endif
#endif
