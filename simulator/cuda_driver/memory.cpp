// Allocation and release, host memory, managed memory, what an address belongs to.
#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cuda_driver/owned.hpp"
#include "simulator/cudart/abi/layout.hpp"

namespace hpml::sim::cuda_driver {
namespace {

void** as_pointer(DevicePtr* address) { return reinterpret_cast<void**>(address); }

// cuMemAlloc and its kind refuse what cudaMalloc answers with a null pointer.
template <class Call>
int allocate(const char* name, DevicePtr* address, size_t bytes, Call call) {
  return made(OwnedKind::memory, address, forward(name, [&] {
                return bytes > 0 && address != nullptr ? call() : static_cast<int>(Error::invalid_value);
              }));
}

int prefetch(DevicePtr address, size_t bytes, int location, void* stream) {
  return forward("cuMemPrefetchAsync",
                 [&] { return cudart::mem_prefetch(pointer_of(address), bytes, location, stream); });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

HPML_CU_API int cuMemAlloc_v2(DevicePtr* address, size_t bytes) {
  return allocate("cuMemAlloc", address, bytes, [&] { return cudaMalloc(as_pointer(address), bytes); });
}
HPML_CU_API int cuMemAllocPitch_v2(DevicePtr* address, size_t* pitch, size_t width, size_t height, unsigned element) {
  if (element != 4 && element != 8 && element != 16) {
    return forward("cuMemAllocPitch", [] { return static_cast<int>(Error::invalid_value); });
  }
  return allocate("cuMemAllocPitch", address, width * height,
                  [&] { return cudaMallocPitch(as_pointer(address), pitch, width, height); });
}
HPML_CU_API int cuMemAllocManaged(DevicePtr* address, size_t bytes, unsigned flags) {
  return allocate("cuMemAllocManaged", address, bytes,
                  [&] { return cudaMallocManaged(as_pointer(address), bytes, flags); });
}
HPML_CU_API int cuMemAllocAsync(DevicePtr* address, size_t bytes, void* stream) {
  return allocate("cuMemAllocAsync", address, bytes,
                  [&] { return cudaMallocAsync(as_pointer(address), bytes, stream); });
}
HPML_CU_API int cuMemAllocAsync_ptsz(DevicePtr* address, size_t bytes, void* stream) {
  return cuMemAllocAsync(address, bytes, per_thread(stream));
}
HPML_CU_API int cuMemFree_v2(DevicePtr address) {
  return gone(OwnedKind::memory, pointer_of(address),
              forward("cuMemFree", [&] { return cudaFree(pointer_of(address)); }));
}
HPML_CU_API int cuMemFreeAsync(DevicePtr address, void* stream) {
  return gone(OwnedKind::memory, pointer_of(address),
              forward("cuMemFreeAsync", [&] { return cudaFreeAsync(pointer_of(address), stream); }));
}
HPML_CU_API int cuMemFreeAsync_ptsz(DevicePtr address, void* stream) {
  return cuMemFreeAsync(address, per_thread(stream));
}
HPML_CU_API int cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  return forward("cuMemGetInfo", [&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

HPML_CU_API int cuMemAllocHost_v2(void** pointer, size_t bytes) {
  return forward("cuMemAllocHost", [&] { return cudaMallocHost(pointer, bytes); });
}
HPML_CU_API int cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return forward("cuMemHostAlloc", [&] { return cudaHostAlloc(pointer, bytes, flags); });
}
HPML_CU_API int cuMemFreeHost(void* pointer) {
  return forward("cuMemFreeHost", [&] { return cudaFreeHost(pointer); });
}
HPML_CU_API int cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned flags) {
  return forward("cuMemHostRegister", [&] { return cudaHostRegister(pointer, bytes, flags); });
}
HPML_CU_API int cuMemHostUnregister(void* pointer) {
  return forward("cuMemHostUnregister", [&] { return cudaHostUnregister(pointer); });
}
HPML_CU_API int cuMemHostGetDevicePointer_v2(DevicePtr* address, void* pointer, unsigned flags) {
  return forward("cuMemHostGetDevicePointer",
                 [&] { return cudaHostGetDevicePointer(as_pointer(address), pointer, flags); });
}
HPML_CU_API int cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return forward("cuMemHostGetFlags", [&] { return cudaHostGetFlags(flags, pointer); });
}

HPML_CU_API int cuMemPrefetchAsync(DevicePtr address, size_t bytes, int device, void* stream) {
  return prefetch(address, bytes, device, stream);
}
HPML_CU_API int cuMemPrefetchAsync_ptsz(DevicePtr address, size_t bytes, int device, void* stream) {
  return prefetch(address, bytes, device, per_thread(stream));
}
HPML_CU_API int cuMemPrefetchAsync_v2(DevicePtr address, size_t bytes, cudart::MemLocation location, unsigned,
                                      void* stream) {
  return prefetch(address, bytes, cudart::ordinal_of(location), stream);
}
HPML_CU_API int cuMemPrefetchAsync_v2_ptsz(DevicePtr address, size_t bytes, cudart::MemLocation location, unsigned,
                                           void* stream) {
  return prefetch(address, bytes, cudart::ordinal_of(location), per_thread(stream));
}
HPML_CU_API int cuMemAdvise(DevicePtr address, size_t bytes, int advice, int device) {
  return forward("cuMemAdvise", [&] { return cudart::mem_advise(pointer_of(address), bytes, advice, device); });
}
HPML_CU_API int cuMemAdvise_v2(DevicePtr address, size_t bytes, int advice, cudart::MemLocation location) {
  return cuMemAdvise(address, bytes, advice, cudart::ordinal_of(location));
}
HPML_CU_API int cuMemRangeGetAttribute(void* data, size_t size, int attribute, DevicePtr address, size_t bytes) {
  return forward("cuMemRangeGetAttribute",
                 [&] { return cudaMemRangeGetAttribute(data, size, attribute, pointer_of(address), bytes); });
}
HPML_CU_API int cuMemRangeGetAttributes(void** data, size_t* sizes, int* attributes, size_t count, DevicePtr address,
                                        size_t bytes) {
  return forward("cuMemRangeGetAttributes",
                 [&] { return cudaMemRangeGetAttributes(data, sizes, attributes, count, pointer_of(address), bytes); });
}
