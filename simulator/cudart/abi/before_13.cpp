// Names and forms that CUDA 13 removed: in libcudart.so.11.0 and libcudart.so.12.
#include "simulator/cudart/api/common.hpp"

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaDeviceSynchronize();
HPML_CUDA_API int cudaDeviceReset();

HPML_CUDA_API int cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
HPML_CUDA_API int cudaThreadExit() { return cudaDeviceReset(); }

HPML_CUDA_API int cudaMemPrefetchAsync(const void* pointer, size_t bytes, int location, void* stream) {
  return mem_prefetch(pointer, bytes, location, stream);
}
HPML_CUDA_API int cudaMemPrefetchAsync_ptsz(const void* pointer, size_t bytes, int location, void* stream) {
  return mem_prefetch(pointer, bytes, location, per_thread(stream));
}
HPML_CUDA_API int cudaMemAdvise(const void* pointer, size_t bytes, int advice, int location) {
  return mem_advise(pointer, bytes, advice, location);
}
