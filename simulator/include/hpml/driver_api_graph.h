// Capture and graphs. Included by cuda.h inside extern "C".
#pragma once

CUresult cuStreamBeginCapture(CUstream __stream, CUstreamCaptureMode __mode);
CUresult cuStreamEndCapture(CUstream __stream, CUgraph* __graph);
CUresult cuStreamIsCapturing(CUstream __stream, CUstreamCaptureStatus* __status);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* __mode);

CUresult cuGraphCreate(CUgraph* __graph, unsigned int __flags);
CUresult cuGraphDestroy(CUgraph __graph);
CUresult cuGraphClone(CUgraph* __clone, CUgraph __graph);
#define __HPML_NODE__ CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies, size_t __count
CUresult cuGraphAddKernelNode(__HPML_NODE__, const CUDA_KERNEL_NODE_PARAMS* __parameters);
CUresult cuGraphAddMemcpyNode(__HPML_NODE__, const CUDA_MEMCPY3D* __parameters, CUcontext __context);
CUresult cuGraphAddMemsetNode(__HPML_NODE__, const CUDA_MEMSET_NODE_PARAMS* __parameters, CUcontext __context);
CUresult cuGraphAddHostNode(__HPML_NODE__, const CUDA_HOST_NODE_PARAMS* __parameters);
CUresult cuGraphAddChildGraphNode(__HPML_NODE__, CUgraph __child);
CUresult cuGraphAddEmptyNode(__HPML_NODE__);
CUresult cuGraphAddEventRecordNode(__HPML_NODE__, CUevent __event);
CUresult cuGraphAddEventWaitNode(__HPML_NODE__, CUevent __event);
CUresult cuGraphAddMemAllocNode(__HPML_NODE__, CUDA_MEM_ALLOC_NODE_PARAMS* __parameters);
CUresult cuGraphAddMemFreeNode(__HPML_NODE__, CUdeviceptr __address);
#undef __HPML_NODE__
CUresult cuGraphKernelNodeGetParams(CUgraphNode __node, CUDA_KERNEL_NODE_PARAMS* __parameters);
CUresult cuGraphKernelNodeSetParams(CUgraphNode __node, const CUDA_KERNEL_NODE_PARAMS* __parameters);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode __node, const CUDA_MEMCPY3D* __parameters);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode __node, CUDA_MEMSET_NODE_PARAMS* __parameters);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode __node, const CUDA_MEMSET_NODE_PARAMS* __parameters);
CUresult cuGraphHostNodeGetParams(CUgraphNode __node, CUDA_HOST_NODE_PARAMS* __parameters);
CUresult cuGraphHostNodeSetParams(CUgraphNode __node, const CUDA_HOST_NODE_PARAMS* __parameters);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode __node, CUgraph* __graph);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode __node, CUDA_MEM_ALLOC_NODE_PARAMS* __parameters);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode __node, CUdeviceptr* __address);
CUresult cuGraphNodeGetType(CUgraphNode __node, CUgraphNodeType* __type);
CUresult cuGraphNodeFindInClone(CUgraphNode* __found, CUgraphNode __node, CUgraph __clone);
CUresult cuGraphGetNodes(CUgraph __graph, CUgraphNode* __nodes, size_t* __count);
CUresult cuGraphGetRootNodes(CUgraph __graph, CUgraphNode* __nodes, size_t* __count);
CUresult cuGraphGetEdges(CUgraph __graph, CUgraphNode* __from, CUgraphNode* __to, size_t* __count);
CUresult cuGraphNodeGetDependencies(CUgraphNode __node, CUgraphNode* __nodes, size_t* __count);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode __node, CUgraphNode* __nodes, size_t* __count);
CUresult cuGraphAddDependencies(CUgraph __graph, const CUgraphNode* __from, const CUgraphNode* __to, size_t __count);
CUresult cuGraphRemoveDependencies(CUgraph __graph, const CUgraphNode* __from, const CUgraphNode* __to,
                                   size_t __count);
CUresult cuGraphDestroyNode(CUgraphNode __node);

CUresult cuGraphInstantiate(CUgraphExec* __exec, CUgraph __graph, CUgraphNode* __bad, char* __log, size_t __bytes);
CUresult cuGraphInstantiateWithFlags(CUgraphExec* __exec, CUgraph __graph, unsigned long long __flags);
CUresult cuGraphExecDestroy(CUgraphExec __exec);
CUresult cuGraphUpload(CUgraphExec __exec, CUstream __stream);
CUresult cuGraphLaunch(CUgraphExec __exec, CUstream __stream);
CUresult cuGraphExecUpdate(CUgraphExec __exec, CUgraph __graph, CUgraphNode* __bad, CUgraphExecUpdateResult* __result);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                        const CUDA_KERNEL_NODE_PARAMS* __parameters);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec __exec, CUgraphNode __node, const CUDA_MEMCPY3D* __parameters,
                                        CUcontext __context);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                        const CUDA_MEMSET_NODE_PARAMS* __parameters, CUcontext __context);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                      const CUDA_HOST_NODE_PARAMS* __parameters);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec __exec, CUgraphNode __node, CUgraph __child);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec __exec, CUgraphNode __node, CUevent __event);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec __exec, CUgraphNode __node, CUevent __event);
CUresult cuGraphNodeSetEnabled(CUgraphExec __exec, CUgraphNode __node, unsigned int __enabled);
CUresult cuGraphNodeGetEnabled(CUgraphExec __exec, CUgraphNode __node, unsigned int* __enabled);
CUresult cuGraphDebugDotPrint(CUgraph __graph, const char* __path, unsigned int __flags);

CUresult cuUserObjectCreate(CUuserObject* __object, void* __pointer, CUhostFn __destroy, unsigned int __count,
                            unsigned int __flags);
CUresult cuUserObjectRetain(CUuserObject __object, unsigned int __count);
CUresult cuUserObjectRelease(CUuserObject __object, unsigned int __count);
CUresult cuGraphRetainUserObject(CUgraph __graph, CUuserObject __object, unsigned int __count, unsigned int __flags);
CUresult cuGraphReleaseUserObject(CUgraph __graph, CUuserObject __object, unsigned int __count);
