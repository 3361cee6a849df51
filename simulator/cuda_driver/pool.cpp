// Memory pools: the runtime's, by the same handles.
#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cuda_driver/owned.hpp"

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuDeviceGetDefaultMemPool(void** pool, int device) {
  return forward_contextless("cuDeviceGetDefaultMemPool", [&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}
HPML_CU_API int cuDeviceGetMemPool(void** pool, int device) {
  return forward_contextless("cuDeviceGetMemPool", [&] { return cudaDeviceGetMemPool(pool, device); });
}
HPML_CU_API int cuDeviceSetMemPool(int device, void* pool) {
  return forward_contextless("cuDeviceSetMemPool", [&] { return cudaDeviceSetMemPool(device, pool); });
}
HPML_CU_API int cuMemPoolCreate(void** pool, const void* properties) {
  return forward_contextless("cuMemPoolCreate", [&] { return cudaMemPoolCreate(pool, properties); });
}
HPML_CU_API int cuMemPoolDestroy(void* pool) {
  return forward_contextless("cuMemPoolDestroy", [&] { return cudaMemPoolDestroy(pool); });
}
HPML_CU_API int cuMemPoolTrimTo(void* pool, size_t keep) {
  return forward_contextless("cuMemPoolTrimTo", [&] { return cudaMemPoolTrimTo(pool, keep); });
}
HPML_CU_API int cuMemPoolSetAttribute(void* pool, int attribute, void* value) {
  return forward_contextless("cuMemPoolSetAttribute", [&] { return cudaMemPoolSetAttribute(pool, attribute, value); });
}
HPML_CU_API int cuMemPoolGetAttribute(void* pool, int attribute, void* value) {
  return forward_contextless("cuMemPoolGetAttribute", [&] { return cudaMemPoolGetAttribute(pool, attribute, value); });
}
HPML_CU_API int cuMemPoolSetAccess(void* pool, const void* list, size_t count) {
  return forward_contextless("cuMemPoolSetAccess", [&] { return cudaMemPoolSetAccess(pool, list, count); });
}
HPML_CU_API int cuMemPoolGetAccess(int* flags, void* pool, const int* location) {
  return forward_contextless("cuMemPoolGetAccess", [&] { return cudaMemPoolGetAccess(flags, pool, location); });
}
HPML_CU_API int cuMemAllocFromPoolAsync(DevicePtr* address, size_t bytes, void* pool, void* stream) {
  return made(OwnedKind::memory, address, forward("cuMemAllocFromPoolAsync", [&] {
                return cudaMallocFromPoolAsync(reinterpret_cast<void**>(address), bytes, pool, stream);
              }));
}
HPML_CU_API int cuMemAllocFromPoolAsync_ptsz(DevicePtr* address, size_t bytes, void* pool, void* stream) {
  return cuMemAllocFromPoolAsync(address, bytes, pool, per_thread(stream));
}

HPML_CU_API int cuMemGetDefaultMemPool(void** pool, const int* location, int type) {
  return forward_contextless("cuMemGetDefaultMemPool", [&] { return cudaMemGetDefaultMemPool(pool, location, type); });
}
HPML_CU_API int cuMemGetMemPool(void** pool, const int* location, int type) {
  return forward_contextless("cuMemGetMemPool", [&] { return cudaMemGetMemPool(pool, location, type); });
}
HPML_CU_API int cuMemSetMemPool(const int* location, int type, void* pool) {
  return forward_contextless("cuMemSetMemPool", [&] { return cudaMemSetMemPool(location, type, pool); });
}
HPML_CU_API int cuDeviceGraphMemTrim(int device) {
  return forward_contextless("cuDeviceGraphMemTrim", [&] { return cudaDeviceGraphMemTrim(device); });
}
HPML_CU_API int cuDeviceGetGraphMemAttribute(int device, int attribute, void* value) {
  return forward_contextless("cuDeviceGetGraphMemAttribute",
                             [&] { return cudaDeviceGetGraphMemAttribute(device, attribute, value); });
}
HPML_CU_API int cuDeviceSetGraphMemAttribute(int device, int attribute, void* value) {
  return forward_contextless("cuDeviceSetGraphMemAttribute",
                             [&] { return cudaDeviceSetGraphMemAttribute(device, attribute, value); });
}
