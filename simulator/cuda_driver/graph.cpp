// Stream capture, and graphs as wholes. Building graphs node by node is the runtime's: its graphs and ours are the
// same.
#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cudart/abi/edges.hpp"
#include "simulator/cudart/api/capture.hpp"

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

namespace {

int capture_info(void* stream, int* status, uint64_t* id, void** graph = nullptr, void* const** dependencies = nullptr,
                 const void** edge_data = nullptr, size_t* count = nullptr) {
  return forward("cuStreamGetCaptureInfo", [&] {
    unsigned long long number = 0;
    const int error =
        cudart::capture_info(stream, status, id != nullptr ? &number : nullptr, graph, dependencies, edge_data, count);
    if (id != nullptr) {
      *id = number;
    }
    return error;
  });
}

}  // namespace

HPML_CU_API int cuStreamBeginCapture_v2(void* stream, int mode) {
  return forward("cuStreamBeginCapture", [&] { return cudaStreamBeginCapture(stream, mode); });
}
HPML_CU_API int cuStreamBeginCapture_v2_ptsz(void* stream, int mode) {
  return cuStreamBeginCapture_v2(per_thread(stream), mode);
}
HPML_CU_API int cuStreamEndCapture(void* stream, void** graph) {
  return forward("cuStreamEndCapture", [&] { return cudaStreamEndCapture(stream, graph); });
}
HPML_CU_API int cuStreamEndCapture_ptsz(void* stream, void** graph) {
  return cuStreamEndCapture(per_thread(stream), graph);
}
HPML_CU_API int cuStreamIsCapturing(void* stream, int* status) {
  return forward("cuStreamIsCapturing", [&] { return cudaStreamIsCapturing(stream, status); });
}
HPML_CU_API int cuStreamIsCapturing_ptsz(void* stream, int* status) {
  return cuStreamIsCapturing(per_thread(stream), status);
}
HPML_CU_API int cuStreamBeginCaptureToGraph(void* stream, void* graph, void* const* dependencies, const void*,
                                            size_t count, int mode) {
  return forward("cuStreamBeginCaptureToGraph",
                 [&] { return cudaStreamBeginCaptureToGraph(stream, graph, dependencies, nullptr, count, mode); });
}
HPML_CU_API int cuStreamBeginCaptureToGraph_ptsz(void* stream, void* graph, void* const* dependencies,
                                                 const void* edge_data, size_t count, int mode) {
  return cuStreamBeginCaptureToGraph(per_thread(stream), graph, dependencies, edge_data, count, mode);
}
HPML_CU_API int cuStreamGetCaptureInfo(void* stream, int* status, uint64_t* id) {
  return capture_info(stream, status, id);
}
HPML_CU_API int cuStreamGetCaptureInfo_ptsz(void* stream, int* status, uint64_t* id) {
  return capture_info(per_thread(stream), status, id);
}
HPML_CU_API int cuStreamGetCaptureInfo_v2(void* stream, int* status, uint64_t* id, void** graph,
                                          void* const** dependencies, size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, nullptr, count);
}
HPML_CU_API int cuStreamGetCaptureInfo_v2_ptsz(void* stream, int* status, uint64_t* id, void** graph,
                                               void* const** dependencies, size_t* count) {
  return capture_info(per_thread(stream), status, id, graph, dependencies, nullptr, count);
}
HPML_CU_API int cuStreamGetCaptureInfo_v3(void* stream, int* status, uint64_t* id, void** graph,
                                          void* const** dependencies, const void** edge_data, size_t* count) {
  return capture_info(stream, status, id, graph, dependencies, edge_data, count);
}
HPML_CU_API int cuStreamGetCaptureInfo_v3_ptsz(void* stream, int* status, uint64_t* id, void** graph,
                                               void* const** dependencies, const void** edge_data, size_t* count) {
  return capture_info(per_thread(stream), status, id, graph, dependencies, edge_data, count);
}
HPML_CU_API int cuStreamUpdateCaptureDependencies(void* stream, void* const* nodes, size_t count, unsigned flags) {
  return forward("cuStreamUpdateCaptureDependencies",
                 [&] { return cudart::stream_update_dependencies(stream, nodes, count, flags); });
}
HPML_CU_API int cuStreamUpdateCaptureDependencies_ptsz(void* stream, void* const* nodes, size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies(per_thread(stream), nodes, count, flags);
}
HPML_CU_API int cuStreamUpdateCaptureDependencies_v2(void* stream, void* const* nodes, const void*, size_t count,
                                                     unsigned flags) {
  return cuStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}
HPML_CU_API int cuStreamUpdateCaptureDependencies_v2_ptsz(void* stream, void* const* nodes, const void*, size_t count,
                                                          unsigned flags) {
  return cuStreamUpdateCaptureDependencies(per_thread(stream), nodes, count, flags);
}
HPML_CU_API int cuThreadExchangeStreamCaptureMode(int* mode) {
  return forward_contextless("cuThreadExchangeStreamCaptureMode",
                             [&] { return cudaThreadExchangeStreamCaptureMode(mode); });
}

HPML_CU_API int cuGraphCreate(void** graph, unsigned flags) {
  return forward("cuGraphCreate", [&] { return cudaGraphCreate(graph, flags); });
}
HPML_CU_API int cuGraphDestroy(void* graph) {
  return forward("cuGraphDestroy", [&] { return cudaGraphDestroy(graph); });
}
HPML_CU_API int cuGraphClone(void** clone, void* graph) {
  return forward("cuGraphClone", [&] { return cudaGraphClone(clone, graph); });
}
HPML_CU_API int cuGraphGetNodes(void* graph, void** nodes, size_t* count) {
  return forward("cuGraphGetNodes", [&] { return cudaGraphGetNodes(graph, nodes, count); });
}
HPML_CU_API int cuGraphDebugDotPrint(void* graph, const char* path, unsigned flags) {
  return forward("cuGraphDebugDotPrint", [&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}
HPML_CU_API int cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long flags) {
  return forward("cuGraphInstantiate", [&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}
HPML_CU_API int cuGraphLaunch(void* exec, void* stream) {
  return forward("cuGraphLaunch", [&] { return cudaGraphLaunch(exec, stream); });
}
HPML_CU_API int cuGraphLaunch_ptsz(void* exec, void* stream) { return cuGraphLaunch(exec, per_thread(stream)); }
HPML_CU_API int cuGraphUpload(void* exec, void* stream) {
  return forward("cuGraphUpload", [&] { return cudaGraphUpload(exec, stream); });
}
HPML_CU_API int cuGraphUpload_ptsz(void* exec, void* stream) { return cuGraphUpload(exec, per_thread(stream)); }
HPML_CU_API int cuGraphExecDestroy(void* exec) {
  return forward("cuGraphExecDestroy", [&] { return cudaGraphExecDestroy(exec); });
}
