// Graphs built node by node with the driver API: kernels, copies, fills, host functions, child graphs and events, their
// edges and parameters, executable graphs that are changed and updated.
#include <string.h>

#include <vector>

#include "driver.cuh"

__global__ void add(int* p, int value) { p[threadIdx.x] += value; }

struct Adding {
  int* p;
  int value;
  void* arguments[2] = {&p, &value};
  CUDA_KERNEL_NODE_PARAMS params = {};
  Adding(CUdeviceptr memory, int what) : p(reinterpret_cast<int*>(memory)), value(what) {
    CUfunction function = nullptr;
    if (cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add)) != cudaSuccess) {
      printf("no function\n");
      exit(1);
    }
    params.func = function;
    params.gridDimX = params.gridDimY = params.gridDimZ = params.blockDimY = params.blockDimZ = 1;
    params.blockDimX = 4;
    params.kernelParams = arguments;
  }
};

CUDA_MEMCPY3D to_host(int* to, CUdeviceptr from) {
  CUDA_MEMCPY3D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to;
  copy.WidthInBytes = 4 * sizeof(int);
  copy.Height = copy.Depth = 1;
  return copy;
}

int result[4], other[4];
void report(void* text) { printf("%s: %d %d\n", static_cast<const char*>(text), result[0], result[3]); }

int main() {
  const CUcontext context = use_primary_context();
  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  DRIVER(cuMemAlloc(&memory, 4 * sizeof(int)));
  DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));

  CUgraph graph = nullptr, child = nullptr;
  CUgraphNode fill, kernel, copy, host, nested, inner, empty;
  DRIVER(cuGraphCreate(&graph, 0));
  DRIVER(cuGraphCreate(&child, 0));
  CUDA_MEMSET_NODE_PARAMS seven = {};
  seven.dst = memory;
  seven.value = 7;
  seven.elementSize = 4;
  seven.width = 4;
  seven.height = 1;
  DRIVER(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &seven, context));
  Adding ten(memory, 10), thousand(memory, 1000);
  DRIVER(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &ten.params));
  DRIVER(cuGraphAddKernelNode(&inner, child, nullptr, 0, &thousand.params));
  DRIVER(cuGraphAddChildGraphNode(&nested, graph, &kernel, 1, child));
  const CUDA_MEMCPY3D out = to_host(result, memory);
  DRIVER(cuGraphAddMemcpyNode(&copy, graph, &nested, 1, &out, context));
  CUDA_HOST_NODE_PARAMS say = {report, const_cast<char*>("result")};
  DRIVER(cuGraphAddHostNode(&host, graph, &copy, 1, &say));
  DRIVER(cuGraphAddEmptyNode(&empty, graph, nullptr, 0));

  size_t nodes = 0, roots = 0, edges = 0;
  DRIVER(cuGraphGetNodes(graph, nullptr, &nodes));
  DRIVER(cuGraphGetRootNodes(graph, nullptr, &roots));
  CUgraphNodeType type;
  DRIVER(cuGraphNodeGetType(nested, &type));
  CUgraphNode from[8], to[8];
  edges = 8;
#if CUDA_VERSION >= 13000
  CUgraphEdgeData data[8];
  DRIVER(cuGraphGetEdges(graph, from, to, data, &edges));
#else
  DRIVER(cuGraphGetEdges(graph, from, to, &edges));
#endif
  printf("%zu nodes, %zu roots, %zu edges, a child graph: %d\n", nodes, roots, edges, type == CU_GRAPH_NODE_TYPE_GRAPH);
  DRIVER(cuGraphDestroyNode(empty));

  CUgraphExec exec = nullptr;
  DRIVER(cuGraphInstantiate(&exec, graph, 0));
  DRIVER(cuGraphLaunch(exec, stream));
  DRIVER(cuStreamSynchronize(stream));

  Adding twenty(memory, 20);
  DRIVER(cuGraphExecKernelNodeSetParams(exec, kernel, &twenty.params));
  seven.value = 1;
  DRIVER(cuGraphExecMemsetNodeSetParams(exec, fill, &seven, context));
  say.userData = const_cast<char*>("changed");
  DRIVER(cuGraphExecHostNodeSetParams(exec, host, &say));
  DRIVER(cuGraphLaunch(exec, stream));
  DRIVER(cuStreamSynchronize(stream));
  const CUDA_MEMCPY3D elsewhere = to_host(other, memory);
  DRIVER(cuGraphExecMemcpyNodeSetParams(exec, copy, &elsewhere, context));
  DRIVER(cuGraphLaunch(exec, stream));
  DRIVER(cuStreamSynchronize(stream));
  printf("copied elsewhere: %d %d\n", other[0], other[3]);

  DRIVER(cuGraphKernelNodeSetParams(kernel, &thousand.params));
  CUDA_KERNEL_NODE_PARAMS now;
  DRIVER(cuGraphKernelNodeGetParams(kernel, &now));
  printf("of the graph: %d threads, adds %d\n", now.blockDimX, *static_cast<int*>(now.kernelParams[1]));
  CUgraphExecUpdateResultInfo updated;
  DRIVER(cuGraphExecUpdate(exec, graph, &updated));
  DRIVER(cuGraphLaunch(exec, stream));
  DRIVER(cuStreamSynchronize(stream));
  DRIVER(cuGraphDestroyNode(host));
  printf("another shape: %s", named(cuGraphExecUpdate(exec, graph, &updated)));
  printf(", %d\n", updated.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  CUDA_MEMCPY3D outside = out;
  outside.srcPitch = 8;
  printf("rows longer than their pitch: %s\n", named(cuGraphMemcpyNodeSetParams(copy, &outside)));
  DRIVER(cuGraphExecDestroy(exec));
  DRIVER(cuGraphDestroy(graph));
}
