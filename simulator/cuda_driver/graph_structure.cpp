// The edges of graphs, and their nodes as a whole: the runtime's, under the driver's names.
#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cuda_driver/graph_calls.hpp"

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

HPML_CU_API int cuGraphAddDependencies(void* graph, void* const* from, void* const* to, size_t count) {
  return forward("cuGraphAddDependencies",
                 [&] { return cudart::graph_add_dependencies(graph, from, to, nullptr, count); });
}
HPML_CU_API int cuGraphAddDependencies_v2(void* graph, void* const* from, void* const* to, const void* edges,
                                          size_t count) {
  return forward("cuGraphAddDependencies",
                 [&] { return cudart::graph_add_dependencies(graph, from, to, edges, count); });
}
HPML_CU_API int cuGraphRemoveDependencies(void* graph, void* const* from, void* const* to, size_t count) {
  return forward("cuGraphRemoveDependencies",
                 [&] { return cudart::graph_remove_dependencies(graph, from, to, count); });
}
HPML_CU_API int cuGraphRemoveDependencies_v2(void* graph, void* const* from, void* const* to, const void*,
                                             size_t count) {
  return forward("cuGraphRemoveDependencies",
                 [&] { return cudart::graph_remove_dependencies(graph, from, to, count); });
}
HPML_CU_API int cuGraphGetEdges(void* graph, void** from, void** to, size_t* count) {
  return forward("cuGraphGetEdges", [&] { return cudart::graph_edges(graph, from, to, nullptr, count); });
}
HPML_CU_API int cuGraphGetEdges_v2(void* graph, void** from, void** to, void* edges, size_t* count) {
  return forward("cuGraphGetEdges", [&] { return cudart::graph_edges(graph, from, to, edges, count); });
}
HPML_CU_API int cuGraphNodeGetDependencies(void* node, void** out, size_t* count) {
  return forward("cuGraphNodeGetDependencies",
                 [&] { return cudart::graph_node_dependencies(node, out, nullptr, count); });
}
HPML_CU_API int cuGraphNodeGetDependencies_v2(void* node, void** out, void* edges, size_t* count) {
  return forward("cuGraphNodeGetDependencies",
                 [&] { return cudart::graph_node_dependencies(node, out, edges, count); });
}
HPML_CU_API int cuGraphNodeGetDependentNodes(void* node, void** out, size_t* count) {
  return forward("cuGraphNodeGetDependentNodes",
                 [&] { return cudart::graph_node_dependents(node, out, nullptr, count); });
}
HPML_CU_API int cuGraphNodeGetDependentNodes_v2(void* node, void** out, void* edges, size_t* count) {
  return forward("cuGraphNodeGetDependentNodes",
                 [&] { return cudart::graph_node_dependents(node, out, edges, count); });
}
HPML_CU_API int cuGraphGetRootNodes(void* graph, void** nodes, size_t* count) {
  return forward("cuGraphGetRootNodes", [&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}
HPML_CU_API int cuGraphNodeGetType(void* node, int* type) {
  return forward("cuGraphNodeGetType", [&] { return cudaGraphNodeGetType(node, type); });
}
HPML_CU_API int cuGraphNodeFindInClone(void** found, void* original, void* clone) {
  return forward("cuGraphNodeFindInClone", [&] { return cudaGraphNodeFindInClone(found, original, clone); });
}
HPML_CU_API int cuGraphDestroyNode(void* node) {
  return forward("cuGraphDestroyNode", [&] { return cudaGraphDestroyNode(node); });
}

HPML_CU_API int cuUserObjectCreate(void** out, void* pointer, void (*destroy)(void*), unsigned count, unsigned flags) {
  return forward("cuUserObjectCreate", [&] { return cudaUserObjectCreate(out, pointer, destroy, count, flags); });
}
HPML_CU_API int cuUserObjectRetain(void* object, unsigned count) {
  return forward("cuUserObjectRetain", [&] { return cudaUserObjectRetain(object, count); });
}
HPML_CU_API int cuUserObjectRelease(void* object, unsigned count) {
  return forward("cuUserObjectRelease", [&] { return cudaUserObjectRelease(object, count); });
}
HPML_CU_API int cuGraphRetainUserObject(void* graph, void* object, unsigned count, unsigned flags) {
  return forward("cuGraphRetainUserObject", [&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}
HPML_CU_API int cuGraphReleaseUserObject(void* graph, void* object, unsigned count) {
  return forward("cuGraphReleaseUserObject", [&] { return cudaGraphReleaseUserObject(graph, object, count); });
}
