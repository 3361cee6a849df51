// Several copies or prefetches by one call: the runtime's, which describe them by the same structures.
#include "simulator/cudart/api/batch.hpp"
#include "simulator/cuda_driver/frame.hpp"

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;
using cudart::BatchCopy3D;
using cudart::CopyAttributes;
using cudart::MemLocation;

HPML_CUDA_API int cudaMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count, MemLocation* locations,
                                            size_t* firsts, size_t location_count, unsigned long long flags,
                                            void* stream);
HPML_CUDA_API int cudaMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count, unsigned long long flags,
                                           void* stream);

namespace {

void** pointers_of(DevicePtr* addresses) { return reinterpret_cast<void**>(addresses); }

int copy_batch(DevicePtr* to, DevicePtr* from, size_t* sizes, size_t count, CopyAttributes* attributes, size_t* firsts,
               size_t attribute_count, size_t* failed, void* stream) {
  return forward("cuMemcpyBatchAsync", [&] {
    return cudart::memcpy_batch("cuMemcpyBatchAsync",
                                {pointers_of(to), pointers_of(from), sizes, count, attributes, firsts, attribute_count},
                                failed, stream);
  });
}

int copy_boxes(size_t count, BatchCopy3D* what, size_t* failed, unsigned long long flags, void* stream) {
  return forward("cuMemcpy3DBatchAsync",
                 [&] { return cudart::memcpy_3d_batch("cuMemcpy3DBatchAsync", what, count, failed, flags, stream); });
}

}  // namespace

HPML_CU_API int cuMemcpyBatchAsync(DevicePtr* to, DevicePtr* from, size_t* sizes, size_t count,
                                   CopyAttributes* attributes, size_t* firsts, size_t attribute_count, size_t* failed,
                                   void* stream) {
  return copy_batch(to, from, sizes, count, attributes, firsts, attribute_count, failed, stream);
}
HPML_CU_API int cuMemcpyBatchAsync_ptsz(DevicePtr* to, DevicePtr* from, size_t* sizes, size_t count,
                                        CopyAttributes* attributes, size_t* firsts, size_t attribute_count,
                                        size_t* failed, void* stream) {
  return copy_batch(to, from, sizes, count, attributes, firsts, attribute_count, failed, per_thread(stream));
}
HPML_CU_API int cuMemcpyBatchAsync_v2(DevicePtr* to, DevicePtr* from, size_t* sizes, size_t count,
                                      CopyAttributes* attributes, size_t* firsts, size_t attribute_count,
                                      void* stream) {
  return copy_batch(to, from, sizes, count, attributes, firsts, attribute_count, nullptr, stream);
}
HPML_CU_API int cuMemcpyBatchAsync_v2_ptsz(DevicePtr* to, DevicePtr* from, size_t* sizes, size_t count,
                                           CopyAttributes* attributes, size_t* firsts, size_t attribute_count,
                                           void* stream) {
  return copy_batch(to, from, sizes, count, attributes, firsts, attribute_count, nullptr, per_thread(stream));
}
HPML_CU_API int cuMemcpy3DBatchAsync(size_t count, BatchCopy3D* what, size_t* failed, unsigned long long flags,
                                     void* stream) {
  return copy_boxes(count, what, failed, flags, stream);
}
HPML_CU_API int cuMemcpy3DBatchAsync_ptsz(size_t count, BatchCopy3D* what, size_t* failed, unsigned long long flags,
                                          void* stream) {
  return copy_boxes(count, what, failed, flags, per_thread(stream));
}
HPML_CU_API int cuMemcpy3DBatchAsync_v2(size_t count, BatchCopy3D* what, unsigned long long flags, void* stream) {
  return copy_boxes(count, what, nullptr, flags, stream);
}
HPML_CU_API int cuMemcpy3DBatchAsync_v2_ptsz(size_t count, BatchCopy3D* what, unsigned long long flags, void* stream) {
  return copy_boxes(count, what, nullptr, flags, per_thread(stream));
}
HPML_CU_API int cuMemPrefetchBatchAsync(DevicePtr* addresses, size_t* sizes, size_t count, MemLocation* locations,
                                        size_t* firsts, size_t location_count, unsigned long long flags, void* stream) {
  return forward("cuMemPrefetchBatchAsync", [&] {
    return cudaMemPrefetchBatchAsync(pointers_of(addresses), sizes, count, locations, firsts, location_count, flags,
                                     stream);
  });
}
HPML_CU_API int cuMemPrefetchBatchAsync_ptsz(DevicePtr* addresses, size_t* sizes, size_t count, MemLocation* locations,
                                             size_t* firsts, size_t location_count, unsigned long long flags,
                                             void* stream) {
  return cuMemPrefetchBatchAsync(addresses, sizes, count, locations, firsts, location_count, flags, per_thread(stream));
}
HPML_CU_API int cuMemDiscardBatchAsync(DevicePtr* addresses, size_t* sizes, size_t count, unsigned long long flags,
                                       void* stream) {
  return forward("cuMemDiscardBatchAsync",
                 [&] { return cudaMemDiscardBatchAsync(pointers_of(addresses), sizes, count, flags, stream); });
}
HPML_CU_API int cuMemDiscardBatchAsync_ptsz(DevicePtr* addresses, size_t* sizes, size_t count, unsigned long long flags,
                                            void* stream) {
  return cuMemDiscardBatchAsync(addresses, sizes, count, flags, per_thread(stream));
}
HPML_CU_API int cuMemDiscardAndPrefetchBatchAsync(DevicePtr* addresses, size_t* sizes, size_t count,
                                                  MemLocation* locations, size_t* firsts, size_t location_count,
                                                  unsigned long long flags, void* stream) {
  return cuMemPrefetchBatchAsync(addresses, sizes, count, locations, firsts, location_count, flags, stream);
}
HPML_CU_API int cuMemDiscardAndPrefetchBatchAsync_ptsz(DevicePtr* addresses, size_t* sizes, size_t count,
                                                       MemLocation* locations, size_t* firsts, size_t location_count,
                                                       unsigned long long flags, void* stream) {
  return cuMemPrefetchBatchAsync(addresses, sizes, count, locations, firsts, location_count, flags, per_thread(stream));
}
