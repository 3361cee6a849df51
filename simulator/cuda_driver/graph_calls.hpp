#pragma once
// The functions of the runtime API by which the driver API's functions build and change graphs.
#include "simulator/cudart/api/graph.hpp"

namespace hpml::sim::cuda_driver {

struct KernelNode {  // CUDA_KERNEL_NODE_PARAMS since CUDA 12
  cudart::KernelNodeParams params;
  const void* kernel;  // where params name no function
  void* context;
};
static_assert(sizeof(KernelNode) == 72);

}  // namespace hpml::sim::cuda_driver

extern "C" {
int cudaGraphAddKernelNode(void** node, void* graph, void* const* dependencies, size_t count,
                           const hpml::sim::cudart::KernelNodeParams* what);
int cudaGraphAddMemsetNode(void** node, void* graph, void* const* dependencies, size_t count,
                           const hpml::sim::cudart::MemsetParams* what);
int cudaGraphAddHostNode(void** node, void* graph, void* const* dependencies, size_t count,
                         const hpml::sim::cudart::HostNodeParams* what);
int cudaGraphAddChildGraphNode(void** node, void* graph, void* const* dependencies, size_t count, void* child);
int cudaGraphAddEmptyNode(void** node, void* graph, void* const* dependencies, size_t count);
int cudaGraphAddEventRecordNode(void** node, void* graph, void* const* dependencies, size_t count, void* event);
int cudaGraphAddEventWaitNode(void** node, void* graph, void* const* dependencies, size_t count, void* event);
int cudaGraphAddMemAllocNode(void** node, void* graph, void* const* dependencies, size_t count,
                             hpml::sim::cudart::AllocNodeParams* what);
int cudaGraphAddMemFreeNode(void** node, void* graph, void* const* dependencies, size_t count, void* pointer);
int cudaGraphConditionalHandleCreate(unsigned long long* handle, void* graph, unsigned initial, unsigned flags);
int cudaGraphKernelNodeGetParams(void* node, hpml::sim::cudart::KernelNodeParams* out);
int cudaGraphKernelNodeSetParams(void* node, const hpml::sim::cudart::KernelNodeParams* what);
int cudaGraphExecKernelNodeSetParams(void* exec, void* node, const hpml::sim::cudart::KernelNodeParams* what);
int cudaGraphMemsetNodeGetParams(void* node, hpml::sim::cudart::MemsetParams* out);
int cudaGraphMemsetNodeSetParams(void* node, const hpml::sim::cudart::MemsetParams* what);
int cudaGraphExecMemsetNodeSetParams(void* exec, void* node, const hpml::sim::cudart::MemsetParams* what);
int cudaGraphHostNodeGetParams(void* node, hpml::sim::cudart::HostNodeParams* out);
int cudaGraphHostNodeSetParams(void* node, const hpml::sim::cudart::HostNodeParams* what);
int cudaGraphExecHostNodeSetParams(void* exec, void* node, const hpml::sim::cudart::HostNodeParams* what);
int cudaGraphChildGraphNodeGetGraph(void* node, void** out);
int cudaGraphExecChildGraphNodeSetParams(void* exec, void* node, void* graph);
int cudaGraphEventRecordNodeGetEvent(void* node, void** out);
int cudaGraphEventRecordNodeSetEvent(void* node, void* event);
int cudaGraphExecEventRecordNodeSetEvent(void* exec, void* node, void* event);
int cudaGraphEventWaitNodeGetEvent(void* node, void** out);
int cudaGraphEventWaitNodeSetEvent(void* node, void* event);
int cudaGraphExecEventWaitNodeSetEvent(void* exec, void* node, void* event);
int cudaGraphMemAllocNodeGetParams(void* node, hpml::sim::cudart::AllocNodeParams* out);
int cudaGraphMemFreeNodeGetParams(void* node, void* out);
int cudaGraphKernelNodeSetAttribute(void* node, int id, const void* value);
int cudaGraphKernelNodeGetAttribute(void* node, int id, void* value);
int cudaGraphKernelNodeCopyAttributes(void* dst, void* src);
int cudaGraphNodeSetEnabled(void* exec, void* node, unsigned enabled);
int cudaGraphNodeGetEnabled(void* exec, void* node, unsigned* enabled);
int cudaGraphNodeGetType(void* node, int* type);
int cudaGraphGetRootNodes(void* graph, void** nodes, size_t* count);
int cudaGraphDestroyNode(void* node);
int cudaGraphNodeFindInClone(void** found, void* original, void* clone);
int cudaGraphInstantiateWithParams(void** exec, void* graph, void* params);
int cudaGraphInstantiateWithParams_ptsz(void** exec, void* graph, void* params);
int cudaGraphExecGetFlags(void* exec, unsigned long long* flags);
int cudaUserObjectCreate(void** out, void* pointer, void (*destroy)(void*), unsigned count, unsigned flags);
int cudaUserObjectRetain(void* object, unsigned count);
int cudaUserObjectRelease(void* object, unsigned count);
int cudaGraphRetainUserObject(void* graph, void* object, unsigned count, unsigned flags);
int cudaGraphReleaseUserObject(void* graph, void* object, unsigned count);
}
