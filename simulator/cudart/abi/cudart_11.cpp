// libcudart.so.11.0: CUDA 11.x, and programs that clang compiles without a toolkit.
#include "simulator/cudart/abi/edges.hpp"
#include "simulator/cudart/abi/version.hpp"

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {
constexpr int kVersion = 11080;
}

HPML_CUDA_API int cudaRuntimeGetVersion(int* version) {
  return get_version("cudaRuntimeGetVersion", version, kVersion);
}
HPML_CUDA_API int cudaDriverGetVersion(int* version) { return get_version("cudaDriverGetVersion", version, kVersion); }
HPML_CUDA_API int cudaGetDeviceProperties(DeviceProp11* out, int ordinal) { return get_properties(out, ordinal); }
HPML_CUDA_API int cudaFuncGetAttributes(FuncAttributes11* out, const void* stub) {
  return get_function_attributes(out, stub);
}
HPML_CUDA_API int cudaPointerGetAttributes(PointerAttributes11* out, const void* pointer) {
  return get_pointer_attributes(out, pointer);
}
HPML_CUDA_API int cudaGraphInstantiate(void** exec, void* graph, void** error_node, char* log, size_t log_bytes) {
  if (log != nullptr && log_bytes > 0) {
    *log = '\0';
  }
  return graph_instantiate("cudaGraphInstantiate", exec, graph, 0, error_node, nullptr);
}
HPML_CUDA_API int cudaGraphExecUpdate(void* exec, void* graph, void** error_node, int* result) {
  UpdateResult found;
  const int error = graph_exec_update(exec, graph, found);
  if (error_node != nullptr) {
    *error_node = found.node;
  }
  if (result != nullptr) {
    *result = found.result;
  }
  return error;
}
HPML_CUDA_API int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags) {
  return get_driver_entry_point(name, function, flags, nullptr);
}
