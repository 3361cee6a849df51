// Stream capture, and graphs as wholes. Building graphs node by node is the runtime's: its graphs and ours are the
// same.
#include "simulator/cuda_driver/frame.hpp"

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

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
