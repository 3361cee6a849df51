// Conditional nodes of graphs: kernels decide which body runs, and how often.
#include "check.cuh"

__global__ void add(int* out, int value) { *out += value; }

__global__ void count_down(cudaGraphConditionalHandle handle, int* left) {
  const int now = --*left;
  cudaGraphSetConditional(handle, now > 0);
}

__global__ void choose(cudaGraphConditionalHandle handle, unsigned value) { cudaGraphSetConditional(handle, value); }

template <class... Parameters, class... Arguments>
cudaGraphNode_t kernel_node(cudaGraph_t graph, cudaGraphNode_t after, void (*kernel)(Parameters...),
                            Arguments... arguments) {
  void* list[] = {&arguments...};
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = reinterpret_cast<void*>(kernel);
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = list;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, &after, nullptr, after != nullptr ? 1 : 0, &params));
  return node;
}

cudaGraph_t* conditional_node(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle handle,
                              cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = size;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, &after, nullptr, after != nullptr ? 1 : 0, &params));
  cudaGraphNodeType found;
  CHECK(cudaGraphNodeGetType(node, &found));
  if (found != cudaGraphNodeTypeConditional) {
    printf("the node is of type %d\n", static_cast<int>(found));
  }
  return params.conditional.phGraph_out;
}

void launch(cudaGraph_t graph, int times) {
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < times; ++i) {
    CHECK(cudaGraphLaunch(exec, nullptr));
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

void loop(int* out) {
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  int* left = to_device(std::vector<int>{5});
  const cudaGraph_t body = conditional_node(graph, nullptr, handle, cudaGraphCondTypeWhile, 1)[0];
  const cudaGraphNode_t added = kernel_node(body, nullptr, add, out, 3);
  kernel_node(body, added, count_down, handle, left);
  launch(graph, 2);  // the second one starts with 0 left: its body runs once
  printf("while: %d\n", to_host(out, 1)[0]);
}

void branch(int* out, cudaGraphConditionalNodeType type, unsigned value) {
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  CHECK(cudaMemset(out, 0, sizeof(int)));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
  const cudaGraphNode_t chosen = kernel_node(graph, nullptr, choose, handle, value);
  cudaGraph_t* bodies = conditional_node(graph, chosen, handle, type, 2);
  kernel_node(bodies[0], nullptr, add, out, 1);
  // The second body is captured from a stream.
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCaptureToGraph(stream, bodies[1], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(out, 10);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  CHECK(cudaStreamDestroy(stream));
  launch(graph, 1);
  printf(" %d", to_host(out, 1)[0]);
}

int main() {
  int* out = device_array<int>(1);
  loop(out);
  printf("if, else:");
  branch(out, cudaGraphCondTypeIf, 7);
  branch(out, cudaGraphCondTypeIf, 0);
  printf("\nswitch:");
  for (unsigned value = 0; value < 3; ++value) {
    branch(out, cudaGraphCondTypeSwitch, value);
  }
  printf("\n");
  cudaGraphConditionalHandle handle;
  printf("no graph: %s\n", cudaGetErrorName(cudaGraphConditionalHandleCreate(&handle, nullptr)));
}
