// Nodes of any kind by one structure in the driver API, changed in the executable graph; capture into a graph that is there
#include <string.h>

#include "driver.cuh"

__global__ void add(int* p, int value) { p[threadIdx.x] += value; }

void count(void* calls) { ++*static_cast<int*>(calls); }

CUgraphNode any_node(CUgraph graph, CUgraphNode after, CUgraphNodeParams* params) {
  CUgraphNode node = nullptr;
  DRIVER(cuGraphAddNode(&node, graph, &after, nullptr, after != nullptr ? 1 : 0, params));
  return node;
}

int main() {
  use_primary_context();
  CUdeviceptr memory = 0;
  DRIVER(cuMemAlloc(&memory, 4 * sizeof(int)));
  CUfunction function = nullptr;
  if (cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add)) != cudaSuccess) {
    return 1;
  }
  CUgraph graph = nullptr;
  DRIVER(cuGraphCreate(&graph, 0));

  CUgraphNodeParams fill = {CU_GRAPH_NODE_TYPE_MEMSET};
  fill.memset.dst = memory;
  fill.memset.value = 7;
  fill.memset.elementSize = 4;
  fill.memset.width = 4;
  fill.memset.height = 1;
  const CUgraphNode filled = any_node(graph, nullptr, &fill);

  int value = 10;
  void* arguments[] = {&memory, &value};
  CUgraphNodeParams kernel = {CU_GRAPH_NODE_TYPE_KERNEL};
  kernel.kernel.func = function;
  kernel.kernel.gridDimX = kernel.kernel.gridDimY = kernel.kernel.gridDimZ = 1;
  kernel.kernel.blockDimX = 4;
  kernel.kernel.blockDimY = kernel.kernel.blockDimZ = 1;
  kernel.kernel.kernelParams = arguments;
  const CUgraphNode added = any_node(graph, filled, &kernel);

  int result[4] = {};
  CUgraphNodeParams copy = {CU_GRAPH_NODE_TYPE_MEMCPY};
  copy.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.memcpy.copyParams.srcDevice = memory;
  copy.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.memcpy.copyParams.dstHost = result;
  copy.memcpy.copyParams.WidthInBytes = sizeof(result);
  copy.memcpy.copyParams.Height = copy.memcpy.copyParams.Depth = 1;
  const CUgraphNode copied = any_node(graph, added, &copy);

  int calls = 0;
  CUgraphNodeParams host = {CU_GRAPH_NODE_TYPE_HOST};
  host.host.fn = count;
  host.host.userData = &calls;
  any_node(graph, copied, &host);

  CUstream stream = nullptr;
  CUgraphExec exec = nullptr;
  DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  DRIVER(cuGraphInstantiate(&exec, graph, 0));
  DRIVER(cuGraphLaunch(exec, stream));
  DRIVER(cuStreamSynchronize(stream));
  printf("%d %d, calls %d\n", result[0], result[3], calls);

  value = 20;
  DRIVER(cuGraphExecNodeSetParams(exec, added, &kernel));
  DRIVER(cuGraphLaunch(exec, stream));
  DRIVER(cuStreamSynchronize(stream));
  printf("%d %d, calls %d\n", result[0], result[3], calls);
  printf("another kind: %s\n", named(cuGraphNodeSetParams(added, &fill)));
  CUgraphNodeParams unknown = {CU_GRAPH_NODE_TYPE_KERNEL};
  unknown.type = static_cast<CUgraphNodeType>(99);
  CUgraphNode none;
  printf("no kind: %s\n", named(cuGraphAddNode(&none, graph, nullptr, nullptr, 0, &unknown)));

  // A stream captured into this graph: its first node depends on the kernel node.
  CUgraph captured = nullptr, known = nullptr;
  CUstreamCaptureStatus status;
  cuuint64_t id = 0;
  const CUgraphNode* tips = nullptr;
  const CUgraphEdgeData* edges = nullptr;
  size_t tip_count = 0, nodes = 0;
  DRIVER(cuStreamBeginCaptureToGraph(stream, graph, &added, nullptr, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
  DRIVER(cuMemsetD32Async(memory, 5, 4, stream));
  DRIVER(cuStreamGetCaptureInfo(stream, &status, &id, &known, &tips, &edges, &tip_count));
  printf("capturing %d, the graph %d, tips %zu\n", status == CU_STREAM_CAPTURE_STATUS_ACTIVE, known == graph, tip_count);
  DRIVER(cuStreamUpdateCaptureDependencies(stream, const_cast<CUgraphNode*>(&copied), nullptr, 1,
                                           CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  DRIVER(cuMemsetD32Async(memory, 6, 4, stream));
  DRIVER(cuStreamEndCapture(stream, &captured));
  DRIVER(cuGraphGetNodes(graph, nullptr, &nodes));
  printf("one graph %d, nodes %zu\n", captured == graph, nodes);
  return 0;
}
