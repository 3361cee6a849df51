// Names and forms that CUDA 13 removed: in libcudart.so.11.0 and libcudart.so.12.
#include "simulator/cudart/abi/edges.hpp"
#include "simulator/cudart/api/batch.hpp"

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaDeviceSynchronize();
HPML_CUDA_API int cudaDeviceReset();

HPML_CUDA_API int cudaCreateTextureObject(uint64_t* object, const void* resource, const void* texture,
                                          const void* view);

// The name of 11.6 to 12, whose cudaTextureDesc has one more field at its end.
HPML_CUDA_API int cudaCreateTextureObject_v2(uint64_t* object, const void* resource, const void* texture,
                                             const void* view) {
  return cudaCreateTextureObject(object, resource, texture, view);
}

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

// Graph calls without edge data; with it they have _v2 names, which CUDA 12's headers use.
HPML_CUDA_API int cudaGraphGetEdges(void* graph, void** from, void** to, size_t* count) {
  return graph_edges(graph, from, to, nullptr, count);
}
HPML_CUDA_API int cudaGraphGetEdges_v2(void* graph, void** from, void** to, void* edge_data, size_t* count) {
  return graph_edges(graph, from, to, edge_data, count);
}
HPML_CUDA_API int cudaGraphAddDependencies(void* graph, void* const* from, void* const* to, size_t count) {
  return graph_add_dependencies(graph, from, to, nullptr, count);
}
HPML_CUDA_API int cudaGraphAddDependencies_v2(void* graph, void* const* from, void* const* to, const void* edge_data,
                                              size_t count) {
  return graph_add_dependencies(graph, from, to, edge_data, count);
}
HPML_CUDA_API int cudaGraphRemoveDependencies(void* graph, void* const* from, void* const* to, size_t count) {
  return graph_remove_dependencies(graph, from, to, count);
}
HPML_CUDA_API int cudaGraphRemoveDependencies_v2(void* graph, void* const* from, void* const* to, const void*,
                                                 size_t count) {
  return graph_remove_dependencies(graph, from, to, count);
}
HPML_CUDA_API int cudaGraphNodeGetDependencies(void* node, void** out, size_t* count) {
  return graph_node_dependencies(node, out, nullptr, count);
}
HPML_CUDA_API int cudaGraphNodeGetDependencies_v2(void* node, void** out, void* edge_data, size_t* count) {
  return graph_node_dependencies(node, out, edge_data, count);
}
HPML_CUDA_API int cudaGraphNodeGetDependentNodes(void* node, void** out, size_t* count) {
  return graph_node_dependents(node, out, nullptr, count);
}
HPML_CUDA_API int cudaGraphNodeGetDependentNodes_v2(void* node, void** out, void* edge_data, size_t* count) {
  return graph_node_dependents(node, out, edge_data, count);
}
HPML_CUDA_API int cudaGraphAddNode(void** node, void* graph, void* const* dependencies, size_t count,
                                   NodeParams* params) {
  return graph_add_any_node(node, graph, dependencies, nullptr, count, params);
}
HPML_CUDA_API int cudaGraphAddNode_v2(void** node, void* graph, void* const* dependencies, const void* edge_data,
                                      size_t count, NodeParams* params) {
  return graph_add_any_node(node, graph, dependencies, edge_data, count, params);
}
HPML_CUDA_API int cudaStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id) {
  return stream_capture_info(stream, {.status = status, .id = id});
}
HPML_CUDA_API int cudaStreamGetCaptureInfo_ptsz(void* stream, int* status, unsigned long long* id) {
  return stream_capture_info(per_thread(stream), {.status = status, .id = id});
}
HPML_CUDA_API int cudaStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id, void** graph,
                                              void* const** dependencies, size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, nullptr, count);
}
HPML_CUDA_API int cudaStreamGetCaptureInfo_v2_ptsz(void* stream, int* status, unsigned long long* id, void** graph,
                                                   void* const** dependencies, size_t* count) {
  return capture_info(per_thread(stream), status, id, graph, dependencies, nullptr, count);
}
HPML_CUDA_API int cudaStreamGetCaptureInfo_v3(void* stream, int* status, unsigned long long* id, void** graph,
                                              void* const** dependencies, const void** edge_data, size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, edge_data, count);
}
HPML_CUDA_API int cudaStreamGetCaptureInfo_v3_ptsz(void* stream, int* status, unsigned long long* id, void** graph,
                                                   void* const** dependencies, const void** edge_data, size_t* count) {
  return capture_info(per_thread(stream), status, id, graph, dependencies, edge_data, count);
}
HPML_CUDA_API int cudaStreamUpdateCaptureDependencies(void* stream, void* const* nodes, size_t count, unsigned flags) {
  return stream_update_dependencies(stream, nodes, count, flags);
}
HPML_CUDA_API int cudaStreamUpdateCaptureDependencies_ptsz(void* stream, void* const* nodes, size_t count,
                                                           unsigned flags) {
  return stream_update_dependencies(per_thread(stream), nodes, count, flags);
}
HPML_CUDA_API int cudaStreamUpdateCaptureDependencies_v2(void* stream, void* const* nodes, const void*, size_t count,
                                                         unsigned flags) {
  return stream_update_dependencies(stream, nodes, count, flags);
}
HPML_CUDA_API int cudaStreamUpdateCaptureDependencies_v2_ptsz(void* stream, void* const* nodes, const void*,
                                                              size_t count, unsigned flags) {
  return stream_update_dependencies(per_thread(stream), nodes, count, flags);
}
HPML_CUDA_API int cudaEventElapsedTime(float* milliseconds, void* start, void* end);
HPML_CUDA_API int cudaEventElapsedTime_v2(float* milliseconds, void* start, void* end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}

HPML_CUDA_API int cudaMemcpyBatchAsync(void** to, void** from, size_t* sizes, size_t count, CopyAttributes* attributes,
                                       size_t* firsts, size_t attribute_count, size_t* failed, void* stream) {
  return memcpy_batch("cudaMemcpyBatchAsync", {to, from, sizes, count, attributes, firsts, attribute_count}, failed,
                      stream);
}
HPML_CUDA_API int cudaMemcpyBatchAsync_ptsz(void** to, void** from, size_t* sizes, size_t count,
                                            CopyAttributes* attributes, size_t* firsts, size_t attribute_count,
                                            size_t* failed, void* stream) {
  return cudaMemcpyBatchAsync(to, from, sizes, count, attributes, firsts, attribute_count, failed, per_thread(stream));
}
HPML_CUDA_API int cudaMemcpy3DBatchAsync(size_t count, BatchCopy3D* what, size_t* failed, unsigned long long flags,
                                         void* stream) {
  return memcpy_3d_batch("cudaMemcpy3DBatchAsync", what, count, failed, flags, stream);
}
HPML_CUDA_API int cudaMemcpy3DBatchAsync_ptsz(size_t count, BatchCopy3D* what, size_t* failed, unsigned long long flags,
                                              void* stream) {
  return cudaMemcpy3DBatchAsync(count, what, failed, flags, per_thread(stream));
}

HPML_CUDA_API int cudaDeviceGetLimit(size_t* value, int limit);
HPML_CUDA_API int cudaDeviceSetLimit(int limit, size_t value);
HPML_CUDA_API int cudaDeviceGetCacheConfig(int* config);
HPML_CUDA_API int cudaDeviceSetCacheConfig(int config);
HPML_CUDA_API int cudaThreadGetLimit(size_t* value, int limit) { return cudaDeviceGetLimit(value, limit); }
HPML_CUDA_API int cudaThreadSetLimit(int limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
HPML_CUDA_API int cudaThreadGetCacheConfig(int* config) { return cudaDeviceGetCacheConfig(config); }
HPML_CUDA_API int cudaThreadSetCacheConfig(int config) { return cudaDeviceSetCacheConfig(config); }
// For devices without double precision, which demoted the values.
HPML_CUDA_API int cudaSetDoubleForDevice(double* value) { return value != nullptr ? 0 : 1; }
HPML_CUDA_API int cudaSetDoubleForHost(double* value) { return value != nullptr ? 0 : 1; }
// What a profiler of CUDA 10 and older was to record: files that the simulator does not write.
HPML_CUDA_API int cudaProfilerInitialize(const char*, const char*, int) {
  return device_call("cudaProfilerInitialize", [](Runtime&, Context&, ApiRecord&) { return Error::success; });
}
