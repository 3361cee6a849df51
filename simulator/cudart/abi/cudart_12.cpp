// libcudart.so.12: CUDA 12.x. Its headers map cudaGetDeviceProperties to the _v2 name; the plain name keeps the old
// layout for programs built earlier.
#include "simulator/cudart/abi/edges.hpp"
#include "simulator/cudart/abi/version.hpp"

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {
constexpr int kVersion = 12080;
}

HPML_CUDA_API int cudaRuntimeGetVersion(int* version) {
  return get_version("cudaRuntimeGetVersion", version, kVersion);
}
HPML_CUDA_API int cudaDriverGetVersion(int* version) { return get_version("cudaDriverGetVersion", version, kVersion); }
HPML_CUDA_API int cudaGetDeviceProperties(DeviceProp11* out, int ordinal) { return get_properties(out, ordinal); }
HPML_CUDA_API int cudaGetDeviceProperties_v2(DeviceProp12* out, int ordinal) { return get_properties(out, ordinal); }
HPML_CUDA_API int cudaFuncGetAttributes(FuncAttributes12* out, const void* stub) {
  return get_function_attributes(out, stub);
}
HPML_CUDA_API int cudaPointerGetAttributes(PointerAttributes11* out, const void* pointer) {
  return get_pointer_attributes(out, pointer);
}
HPML_CUDA_API int cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, MemLocation location, unsigned,
                                          void* stream) {
  return mem_prefetch(pointer, bytes, ordinal_of(location), stream);
}
HPML_CUDA_API int cudaMemPrefetchAsync_v2_ptsz(const void* pointer, size_t bytes, MemLocation location, unsigned,
                                               void* stream) {
  return mem_prefetch(pointer, bytes, ordinal_of(location), per_thread(stream));
}
HPML_CUDA_API int cudaMemAdvise_v2(const void* pointer, size_t bytes, int advice, MemLocation location) {
  return mem_advise(pointer, bytes, advice, ordinal_of(location));
}
HPML_CUDA_API int cudaGraphInstantiate(void** exec, void* graph, unsigned long long flags) {
  return graph_instantiate("cudaGraphInstantiate", exec, graph, flags, nullptr, nullptr);
}
HPML_CUDA_API int cudaGraphExecUpdate(void* exec, void* graph, ExecUpdateResultInfo* result) {
  return exec_update(exec, graph, result);
}
HPML_CUDA_API int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags, int* status) {
  return get_driver_entry_point(name, function, flags, status);
}
HPML_CUDA_API int cudaGetDriverEntryPoint_ptsz(const char* name, void** function, unsigned long long flags,
                                               int* status) {
  return get_driver_entry_point(name, function, flags, status);
}
