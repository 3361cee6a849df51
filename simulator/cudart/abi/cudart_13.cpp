// libcudart.so.13: CUDA 13.x.
#include "simulator/cudart/abi/edges.hpp"
#include "simulator/cudart/abi/version.hpp"
#include "simulator/cudart/api/batch.hpp"

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
HPML_CUDA_API int cudaGraphInstantiate(void** exec, void* graph, unsigned long long flags) {
  return graph_instantiate("cudaGraphInstantiate", exec, graph, flags, nullptr, nullptr);
}
HPML_CUDA_API int cudaGraphExecUpdate(void* exec, void* graph, ExecUpdateResultInfo* result) {
  return exec_update(exec, graph, result);
}
HPML_CUDA_API int cudaGraphGetEdges(void* graph, void** from, void** to, void* edge_data, size_t* count) {
  return graph_edges(graph, from, to, edge_data, count);
}
HPML_CUDA_API int cudaGraphAddDependencies(void* graph, void* const* from, void* const* to, const void* edge_data,
                                           size_t count) {
  return graph_add_dependencies(graph, from, to, edge_data, count);
}
HPML_CUDA_API int cudaGraphRemoveDependencies(void* graph, void* const* from, void* const* to, const void*,
                                              size_t count) {
  return graph_remove_dependencies(graph, from, to, count);
}
HPML_CUDA_API int cudaGraphNodeGetDependencies(void* node, void** out, void* edge_data, size_t* count) {
  return graph_node_dependencies(node, out, edge_data, count);
}
HPML_CUDA_API int cudaGraphNodeGetDependentNodes(void* node, void** out, void* edge_data, size_t* count) {
  return graph_node_dependents(node, out, edge_data, count);
}
HPML_CUDA_API int cudaGraphAddNode(void** node, void* graph, void* const* dependencies, const void* edge_data,
                                   size_t count, NodeParams* params) {
  return graph_add_any_node(node, graph, dependencies, edge_data, count, params);
}
HPML_CUDA_API int cudaStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id, void** graph,
                                           void* const** dependencies, const void** edge_data, size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, edge_data, count);
}
HPML_CUDA_API int cudaStreamGetCaptureInfo_ptsz(void* stream, int* status, unsigned long long* id, void** graph,
                                                void* const** dependencies, const void** edge_data, size_t* count) {
  return capture_info(per_thread(stream), status, id, graph, dependencies, edge_data, count);
}
HPML_CUDA_API int cudaStreamUpdateCaptureDependencies(void* stream, void* const* nodes, const void*, size_t count,
                                                      unsigned flags) {
  return stream_update_dependencies(stream, nodes, count, flags);
}
HPML_CUDA_API int cudaStreamUpdateCaptureDependencies_ptsz(void* stream, void* const* nodes, const void*, size_t count,
                                                           unsigned flags) {
  return stream_update_dependencies(per_thread(stream), nodes, count, flags);
}
HPML_CUDA_API int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags, int* status) {
  return get_driver_entry_point(name, function, flags, status);
}
HPML_CUDA_API int cudaGetDriverEntryPoint_ptsz(const char* name, void** function, unsigned long long flags,
                                               int* status) {
  return get_driver_entry_point(name, function, flags, status);
}

HPML_CUDA_API int cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                                       CopyAttributes* attributes, size_t* firsts, size_t attribute_count,
                                       void* stream) {
  return memcpy_batch("cudaMemcpyBatchAsync", {to, from, sizes, count, attributes, firsts, attribute_count}, nullptr,
                      stream);
}
HPML_CUDA_API int cudaMemcpyBatchAsync_ptsz(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                                            CopyAttributes* attributes, size_t* firsts, size_t attribute_count,
                                            void* stream) {
  return cudaMemcpyBatchAsync(to, from, sizes, count, attributes, firsts, attribute_count, per_thread(stream));
}
HPML_CUDA_API int cudaMemcpy3DBatchAsync(size_t count, BatchCopy3D* what, unsigned long long flags, void* stream) {
  return memcpy_3d_batch("cudaMemcpy3DBatchAsync", what, count, nullptr, flags, stream);
}
HPML_CUDA_API int cudaMemcpy3DBatchAsync_ptsz(size_t count, BatchCopy3D* what, unsigned long long flags, void* stream) {
  return cudaMemcpy3DBatchAsync(count, what, flags, per_thread(stream));
}
