// Graphs node by node: the runtime's graphs, under the driver's names. A kernel node may name its kernel as CUkernel,
// and a copy is described as for cuMemcpy3D; the other structures are those of the runtime.
#include "simulator/cuda_driver/copy_box.hpp"
#include "simulator/cuda_driver/graph_calls.hpp"

namespace hpml::sim::cuda_driver {
namespace {

using cudart::AllocNodeParams;
using cudart::HostNodeParams;
using cudart::KernelNodeParams;
using cudart::MemsetParams;
using cudart::Node;
using cudart::Work;

KernelNodeParams params_of(const KernelNode& node) {
  KernelNodeParams out = node.params;
  out.function = out.function != nullptr ? out.function : node.kernel;
  return out;
}

// `call(const KernelNodeParams*) -> int`
template <class Call>
int with_kernel(const char* name, const KernelNode* node, Call call) {
  return forward(name, [&] {
    if (node == nullptr) {
      return static_cast<int>(Error::invalid_value);
    }
    const KernelNodeParams params = params_of(*node);
    return call(&params);
  });
}

Error copy_work(Runtime& runtime, Context& context, const Copy3D* what, Work& work) {
  CopyWork copy;
  const Error error = what != nullptr ? to_work(runtime, *what, copy) : Error::invalid_value;
  return error == Error::success ? cudart::to_work(runtime, context, copy, work) : error;
}

Error change_copy(Runtime& runtime, Node& node, const Copy3D* what) {
  return cudart::change(runtime, node,
                        [&](Runtime& r, Context& context, Work& work) { return copy_work(r, context, what, work); });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

HPML_CU_API int cuGraphAddKernelNode(void** node, void* graph, void* const* dependencies, size_t count,
                                     const KernelNodeParams* what) {
  return forward("cuGraphAddKernelNode",
                 [&] { return cudaGraphAddKernelNode(node, graph, dependencies, count, what); });
}
HPML_CU_API int cuGraphAddKernelNode_v2(void** node, void* graph, void* const* dependencies, size_t count,
                                        const KernelNode* what) {
  return with_kernel("cuGraphAddKernelNode", what, [&](const KernelNodeParams* params) {
    return cudaGraphAddKernelNode(node, graph, dependencies, count, params);
  });
}
HPML_CU_API int cuGraphAddMemcpyNode(void** node, void* graph, void* const* dependencies, size_t count,
                                     const Copy3D* what, void*) {
  return forward("cuGraphAddMemcpyNode", [&] {
    return cudart::add_node(
        "cuGraphAddMemcpyNode", node, graph, dependencies, count,
        [&](Runtime& runtime, Context& context, Work& work) { return copy_work(runtime, context, what, work); });
  });
}
HPML_CU_API int cuGraphAddMemsetNode(void** node, void* graph, void* const* dependencies, size_t count,
                                     const MemsetParams* what, void*) {
  return forward("cuGraphAddMemsetNode",
                 [&] { return cudaGraphAddMemsetNode(node, graph, dependencies, count, what); });
}
HPML_CU_API int cuGraphAddHostNode(void** node, void* graph, void* const* dependencies, size_t count,
                                   const HostNodeParams* what) {
  return forward("cuGraphAddHostNode", [&] { return cudaGraphAddHostNode(node, graph, dependencies, count, what); });
}
HPML_CU_API int cuGraphAddChildGraphNode(void** node, void* graph, void* const* dependencies, size_t count,
                                         void* child) {
  return forward("cuGraphAddChildGraphNode",
                 [&] { return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}
HPML_CU_API int cuGraphAddEmptyNode(void** node, void* graph, void* const* dependencies, size_t count) {
  return forward("cuGraphAddEmptyNode", [&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}
HPML_CU_API int cuGraphAddEventRecordNode(void** node, void* graph, void* const* dependencies, size_t count,
                                          void* event) {
  return forward("cuGraphAddEventRecordNode",
                 [&] { return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}
HPML_CU_API int cuGraphAddEventWaitNode(void** node, void* graph, void* const* dependencies, size_t count,
                                        void* event) {
  return forward("cuGraphAddEventWaitNode",
                 [&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}
HPML_CU_API int cuGraphAddMemAllocNode(void** node, void* graph, void* const* dependencies, size_t count,
                                       AllocNodeParams* what) {
  return forward("cuGraphAddMemAllocNode",
                 [&] { return cudaGraphAddMemAllocNode(node, graph, dependencies, count, what); });
}
HPML_CU_API int cuGraphAddMemFreeNode(void** node, void* graph, void* const* dependencies, size_t count,
                                      DevicePtr pointer) {
  return forward("cuGraphAddMemFreeNode",
                 [&] { return cudaGraphAddMemFreeNode(node, graph, dependencies, count, pointer_of(pointer)); });
}
HPML_CU_API int cuGraphConditionalHandleCreate(unsigned long long* handle, void* graph, void*, unsigned initial,
                                               unsigned flags) {
  return forward("cuGraphConditionalHandleCreate",
                 [&] { return cudaGraphConditionalHandleCreate(handle, graph, initial, flags); });
}

HPML_CU_API int cuGraphKernelNodeGetParams(void* node, KernelNodeParams* out) {
  return forward("cuGraphKernelNodeGetParams", [&] { return cudaGraphKernelNodeGetParams(node, out); });
}
HPML_CU_API int cuGraphKernelNodeGetParams_v2(void* node, KernelNode* out) {
  return forward("cuGraphKernelNodeGetParams", [&] {
    if (out == nullptr) {
      return static_cast<int>(Error::invalid_value);
    }
    out->kernel = out->context = nullptr;
    return cudaGraphKernelNodeGetParams(node, &out->params);
  });
}
HPML_CU_API int cuGraphKernelNodeSetParams(void* node, const KernelNodeParams* what) {
  return forward("cuGraphKernelNodeSetParams", [&] { return cudaGraphKernelNodeSetParams(node, what); });
}
HPML_CU_API int cuGraphKernelNodeSetParams_v2(void* node, const KernelNode* what) {
  return with_kernel("cuGraphKernelNodeSetParams", what,
                     [&](const KernelNodeParams* params) { return cudaGraphKernelNodeSetParams(node, params); });
}
HPML_CU_API int cuGraphMemcpyNodeSetParams(void* node_handle, const Copy3D* what) {
  return forward("cuGraphMemcpyNodeSetParams", [&] {
    return cudart::node_call("cuGraphMemcpyNodeSetParams", node_handle,
                             [&](Runtime& runtime, Node& node) { return change_copy(runtime, node, what); });
  });
}
HPML_CU_API int cuGraphMemsetNodeGetParams(void* node, MemsetParams* out) {
  return forward("cuGraphMemsetNodeGetParams", [&] { return cudaGraphMemsetNodeGetParams(node, out); });
}
HPML_CU_API int cuGraphMemsetNodeSetParams(void* node, const MemsetParams* what) {
  return forward("cuGraphMemsetNodeSetParams", [&] { return cudaGraphMemsetNodeSetParams(node, what); });
}
HPML_CU_API int cuGraphHostNodeGetParams(void* node, HostNodeParams* out) {
  return forward("cuGraphHostNodeGetParams", [&] { return cudaGraphHostNodeGetParams(node, out); });
}
HPML_CU_API int cuGraphHostNodeSetParams(void* node, const HostNodeParams* what) {
  return forward("cuGraphHostNodeSetParams", [&] { return cudaGraphHostNodeSetParams(node, what); });
}
HPML_CU_API int cuGraphChildGraphNodeGetGraph(void* node, void** out) {
  return forward("cuGraphChildGraphNodeGetGraph", [&] { return cudaGraphChildGraphNodeGetGraph(node, out); });
}
HPML_CU_API int cuGraphEventRecordNodeGetEvent(void* node, void** out) {
  return forward("cuGraphEventRecordNodeGetEvent", [&] { return cudaGraphEventRecordNodeGetEvent(node, out); });
}
HPML_CU_API int cuGraphEventRecordNodeSetEvent(void* node, void* event) {
  return forward("cuGraphEventRecordNodeSetEvent", [&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}
HPML_CU_API int cuGraphEventWaitNodeGetEvent(void* node, void** out) {
  return forward("cuGraphEventWaitNodeGetEvent", [&] { return cudaGraphEventWaitNodeGetEvent(node, out); });
}
HPML_CU_API int cuGraphEventWaitNodeSetEvent(void* node, void* event) {
  return forward("cuGraphEventWaitNodeSetEvent", [&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}
HPML_CU_API int cuGraphMemAllocNodeGetParams(void* node, AllocNodeParams* out) {
  return forward("cuGraphMemAllocNodeGetParams", [&] { return cudaGraphMemAllocNodeGetParams(node, out); });
}
HPML_CU_API int cuGraphMemFreeNodeGetParams(void* node, DevicePtr* out) {
  return forward("cuGraphMemFreeNodeGetParams", [&] { return cudaGraphMemFreeNodeGetParams(node, out); });
}
HPML_CU_API int cuGraphKernelNodeSetAttribute(void* node, int id, const void* value) {
  return forward("cuGraphKernelNodeSetAttribute", [&] { return cudaGraphKernelNodeSetAttribute(node, id, value); });
}
HPML_CU_API int cuGraphKernelNodeGetAttribute(void* node, int id, void* value) {
  return forward("cuGraphKernelNodeGetAttribute", [&] { return cudaGraphKernelNodeGetAttribute(node, id, value); });
}
HPML_CU_API int cuGraphKernelNodeCopyAttributes(void* dst, void* src) {
  return forward("cuGraphKernelNodeCopyAttributes", [&] { return cudaGraphKernelNodeCopyAttributes(dst, src); });
}

// The same in an executable graph.
HPML_CU_API int cuGraphExecKernelNodeSetParams(void* exec, void* node, const KernelNodeParams* what) {
  return forward("cuGraphExecKernelNodeSetParams", [&] { return cudaGraphExecKernelNodeSetParams(exec, node, what); });
}
HPML_CU_API int cuGraphExecKernelNodeSetParams_v2(void* exec, void* node, const KernelNode* what) {
  return with_kernel("cuGraphExecKernelNodeSetParams", what, [&](const KernelNodeParams* params) {
    return cudaGraphExecKernelNodeSetParams(exec, node, params);
  });
}
HPML_CU_API int cuGraphExecMemcpyNodeSetParams(void* exec, void* node_handle, const Copy3D* what, void*) {
  return forward("cuGraphExecMemcpyNodeSetParams", [&] {
    return cudart::exec_node_call("cuGraphExecMemcpyNodeSetParams", exec, node_handle,
                                  [&](Runtime& runtime, Node& node) { return change_copy(runtime, node, what); });
  });
}
HPML_CU_API int cuGraphExecMemsetNodeSetParams(void* exec, void* node, const MemsetParams* what, void*) {
  return forward("cuGraphExecMemsetNodeSetParams", [&] { return cudaGraphExecMemsetNodeSetParams(exec, node, what); });
}
HPML_CU_API int cuGraphExecHostNodeSetParams(void* exec, void* node, const HostNodeParams* what) {
  return forward("cuGraphExecHostNodeSetParams", [&] { return cudaGraphExecHostNodeSetParams(exec, node, what); });
}
HPML_CU_API int cuGraphExecChildGraphNodeSetParams(void* exec, void* node, void* child) {
  return forward("cuGraphExecChildGraphNodeSetParams",
                 [&] { return cudaGraphExecChildGraphNodeSetParams(exec, node, child); });
}
HPML_CU_API int cuGraphExecEventRecordNodeSetEvent(void* exec, void* node, void* event) {
  return forward("cuGraphExecEventRecordNodeSetEvent",
                 [&] { return cudaGraphExecEventRecordNodeSetEvent(exec, node, event); });
}
HPML_CU_API int cuGraphExecEventWaitNodeSetEvent(void* exec, void* node, void* event) {
  return forward("cuGraphExecEventWaitNodeSetEvent",
                 [&] { return cudaGraphExecEventWaitNodeSetEvent(exec, node, event); });
}
HPML_CU_API int cuGraphNodeSetEnabled(void* exec, void* node, unsigned enabled) {
  return forward("cuGraphNodeSetEnabled", [&] { return cudaGraphNodeSetEnabled(exec, node, enabled); });
}
HPML_CU_API int cuGraphNodeGetEnabled(void* exec, void* node, unsigned* enabled) {
  return forward("cuGraphNodeGetEnabled", [&] { return cudaGraphNodeGetEnabled(exec, node, enabled); });
}
