// Stream capture and graphs, in the CUDA 11 forms. Included by cuda_runtime_api.h inside extern "C".
#pragma once

cudaError_t cudaStreamBeginCapture(cudaStream_t __stream, enum cudaStreamCaptureMode __mode);
cudaError_t cudaStreamEndCapture(cudaStream_t __stream, cudaGraph_t* __graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t __stream, enum cudaStreamCaptureStatus* __status);
cudaError_t cudaGraphCreate(cudaGraph_t* __graph, unsigned int __flags);
cudaError_t cudaGraphDestroy(cudaGraph_t __graph);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* __node, cudaGraph_t __graph, const cudaGraphNode_t* __deps,
                                   size_t __count, const struct cudaKernelNodeParams* __params);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* __exec, cudaGraph_t __graph, cudaGraphNode_t* __error_node,
                                 char* __log, size_t __size);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* __exec, cudaGraph_t __graph, unsigned long long __flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t __exec);
cudaError_t cudaGraphGetNodes(cudaGraph_t __graph, cudaGraphNode_t* __nodes, size_t* __count);
