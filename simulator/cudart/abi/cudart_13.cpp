// libcudart.so.13: CUDA 13.x.
#include "simulator/cudart/abi/version.hpp"

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {
constexpr int kVersion = 13000;
}

HPML_CUDA_API int cudaRuntimeGetVersion(int* version) {
  return get_version("cudaRuntimeGetVersion", version, kVersion);
}
HPML_CUDA_API int cudaDriverGetVersion(int* version) { return get_version("cudaDriverGetVersion", version, kVersion); }
HPML_CUDA_API int cudaGetDeviceProperties(DeviceProp13* out, int ordinal) { return get_properties(out, ordinal); }
HPML_CUDA_API int cudaFuncGetAttributes(FuncAttributes12* out, const void* stub) {
  return get_function_attributes(out, stub);
}
HPML_CUDA_API int cudaPointerGetAttributes(PointerAttributes13* out, const void* pointer) {
  return get_pointer_attributes(out, pointer);
}
HPML_CUDA_API int cudaMemPrefetchAsync(const void* pointer, size_t bytes, MemLocation location, unsigned,
                                       void* stream) {
  return mem_prefetch(pointer, bytes, ordinal_of(location), stream);
}
HPML_CUDA_API int cudaMemPrefetchAsync_ptsz(const void* pointer, size_t bytes, MemLocation location, unsigned,
                                            void* stream) {
  return mem_prefetch(pointer, bytes, ordinal_of(location), per_thread(stream));
}
HPML_CUDA_API int cudaMemAdvise(const void* pointer, size_t bytes, int advice, MemLocation location) {
  return mem_advise(pointer, bytes, advice, ordinal_of(location));
}
