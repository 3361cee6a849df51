// Stream capture and graphs, in the CUDA 11 forms. Included by cuda_runtime_api.h inside extern "C".
#pragma once

cudaError_t cudaStreamBeginCapture(cudaStream_t __stream, enum cudaStreamCaptureMode __mode);
cudaError_t cudaStreamEndCapture(cudaStream_t __stream, cudaGraph_t* __graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t __stream, enum cudaStreamCaptureStatus* __status);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t __stream, enum cudaStreamCaptureStatus* __status,
                                     unsigned long long* __id);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t __stream, enum cudaStreamCaptureStatus* __status,
                                        unsigned long long* __id __HPML_DEFAULT__(0),
                                        cudaGraph_t* __graph __HPML_DEFAULT__(0),
                                        const cudaGraphNode_t** __deps __HPML_DEFAULT__(0),
                                        size_t* __count __HPML_DEFAULT__(0));
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t __stream, cudaGraphNode_t* __deps, size_t __count,
                                                unsigned int __flags __HPML_DEFAULT__(0));
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* __mode);

cudaError_t cudaGraphCreate(cudaGraph_t* __graph, unsigned int __flags);
cudaError_t cudaGraphDestroy(cudaGraph_t __graph);
cudaError_t cudaGraphClone(cudaGraph_t* __clone, cudaGraph_t __graph);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* __node, cudaGraphNode_t __original, cudaGraph_t __clone);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t __node, enum cudaGraphNodeType* __type);
cudaError_t cudaGraphGetNodes(cudaGraph_t __graph, cudaGraphNode_t* __nodes, size_t* __count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t __graph, cudaGraphNode_t* __nodes, size_t* __count);
cudaError_t cudaGraphGetEdges(cudaGraph_t __graph, cudaGraphNode_t* __from, cudaGraphNode_t* __to, size_t* __count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t __node, cudaGraphNode_t* __deps, size_t* __count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t __node, cudaGraphNode_t* __deps, size_t* __count);
cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph, const cudaGraphNode_t* __from, const cudaGraphNode_t* __to,
                                     size_t __count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t __graph, const cudaGraphNode_t* __from,
                                        const cudaGraphNode_t* __to, size_t __count);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t __node);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t __graph, const char* __path, unsigned int __flags);

#define __HPML_NEW_NODE__ cudaGraphNode_t *__node, cudaGraph_t __graph, const cudaGraphNode_t *__deps, size_t __count
cudaError_t cudaGraphAddKernelNode(__HPML_NEW_NODE__, const struct cudaKernelNodeParams* __params);
cudaError_t cudaGraphAddMemcpyNode(__HPML_NEW_NODE__, const struct cudaMemcpy3DParms* __params);
cudaError_t cudaGraphAddMemcpyNode1D(__HPML_NEW_NODE__, void* __dst, const void* __src, size_t __bytes,
                                     enum cudaMemcpyKind __kind);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(__HPML_NEW_NODE__, const void* __symbol, const void* __src, size_t __bytes,
                                           size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(__HPML_NEW_NODE__, void* __dst, const void* __symbol, size_t __bytes,
                                             size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphAddMemsetNode(__HPML_NEW_NODE__, const struct cudaMemsetParams* __params);
cudaError_t cudaGraphAddHostNode(__HPML_NEW_NODE__, const struct cudaHostNodeParams* __params);
cudaError_t cudaGraphAddChildGraphNode(__HPML_NEW_NODE__, cudaGraph_t __child);
cudaError_t cudaGraphAddEmptyNode(__HPML_NEW_NODE__);
cudaError_t cudaGraphAddEventRecordNode(__HPML_NEW_NODE__, cudaEvent_t __event);
cudaError_t cudaGraphAddEventWaitNode(__HPML_NEW_NODE__, cudaEvent_t __event);
cudaError_t cudaGraphAddMemAllocNode(__HPML_NEW_NODE__, struct cudaMemAllocNodeParams* __params);
cudaError_t cudaGraphAddMemFreeNode(__HPML_NEW_NODE__, void* __ptr);
#undef __HPML_NEW_NODE__

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t __node, struct cudaKernelNodeParams* __params);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t __node, const struct cudaKernelNodeParams* __params);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t __dst, cudaGraphNode_t __src);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t __node, cudaLaunchAttributeID __attr,
                                            cudaLaunchAttributeValue* __value);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t __node, cudaLaunchAttributeID __attr,
                                            const cudaLaunchAttributeValue* __value);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t __node, struct cudaMemcpy3DParms* __params);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t __node, const struct cudaMemcpy3DParms* __params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t __node, void* __dst, const void* __src, size_t __bytes,
                                           enum cudaMemcpyKind __kind);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t __node, struct cudaMemsetParams* __params);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t __node, const struct cudaMemsetParams* __params);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t __node, struct cudaHostNodeParams* __params);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t __node, const struct cudaHostNodeParams* __params);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t __node, cudaGraph_t* __graph);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t __node, cudaEvent_t* __event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t __node, cudaEvent_t* __event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t __node, struct cudaMemAllocNodeParams* __params);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t __node, void* __ptr);

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* __exec, cudaGraph_t __graph, cudaGraphNode_t* __error_node,
                                 char* __log, size_t __size);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* __exec, cudaGraph_t __graph, unsigned long long __flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphUpload(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t __exec);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __exec, cudaGraph_t __graph, cudaGraphNode_t* __error_node,
                                enum cudaGraphExecUpdateResult* __result);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                             const struct cudaKernelNodeParams* __params);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                             const struct cudaMemcpy3DParms* __params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t __exec, cudaGraphNode_t __node, void* __dst,
                                               const void* __src, size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                             const struct cudaMemsetParams* __params);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                           const struct cudaHostNodeParams* __params);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node, cudaGraph_t __child);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t __exec, cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t __exec, cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t __exec, cudaGraphNode_t __node, unsigned int __enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t __exec, cudaGraphNode_t __node, unsigned int* __enabled);

cudaError_t cudaUserObjectCreate(cudaUserObject_t* __object, void* __ptr, cudaHostFn_t __destroy,
                                 unsigned int __references, unsigned int __flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t __object, unsigned int __count __HPML_DEFAULT__(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t __object, unsigned int __count __HPML_DEFAULT__(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t __graph, cudaUserObject_t __object,
                                      unsigned int __count __HPML_DEFAULT__(1),
                                      unsigned int __flags __HPML_DEFAULT__(0));
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t __graph, cudaUserObject_t __object,
                                       unsigned int __count __HPML_DEFAULT__(1));
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t __stream, cudaGraph_t __graph,
                                          const cudaGraphNode_t* __dependencies, const void* __edges, size_t __count,
                                          enum cudaStreamCaptureMode __mode);
