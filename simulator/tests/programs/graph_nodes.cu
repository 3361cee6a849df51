// A graph built by hand: nodes of every kind, launched twice, changed in its executable form, cloned.
#include "check.cuh"

__global__ void scale(int* p, int factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i] *= factor;
  }
}

static void count(void* data) { ++*static_cast<int*>(data); }

int main() {
  const int n = 1000;
  std::vector<int> input(n), output(n);
  for (int i = 0; i < n; ++i) {
    input[i] = i;
  }
  int* device = device_array<int>(n);
  int calls = 0, factor = 3, size = n;

  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t clear, upload, kernel, download, host;
  cudaMemsetParams fill = {};
  fill.dst = device;
  fill.elementSize = 4;
  fill.value = 1;
  fill.width = n;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));
  CHECK(cudaGraphAddMemcpyNode1D(&upload, graph, &clear, 1, device, input.data(), n / 2 * sizeof(int),
                                 cudaMemcpyHostToDevice));
  void* arguments[] = {&device, &factor, &size};
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(scale);
  launch.gridDim = dim3((n + 127) / 128);
  launch.blockDim = dim3(128);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &upload, 1, &launch));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(device, n * sizeof(int), n, 1);
  copy.dstPtr = make_cudaPitchedPtr(output.data(), n * sizeof(int), n, 1);
  copy.extent = make_cudaExtent(n * sizeof(int), 1, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddMemcpyNode(&download, graph, &kernel, 1, &copy));
  cudaHostNodeParams call = {};
  call.fn = count;
  call.userData = &calls;
  CHECK(cudaGraphAddHostNode(&host, graph, &download, 1, &call));

  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("two launches: %lld, %d calls\n", checksum(output), calls);

  factor = 5;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &launch));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("new factor: %d %d, %d calls\n", output[3], output[n - 1], calls);

  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(download, &type));
  printf("%zu nodes, the download is of type %d\n", nodes, static_cast<int>(type));

  cudaGraph_t clone, parent;
  cudaGraphNode_t child, found;
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphNodeFindInClone(&found, kernel, clone));
  cudaKernelNodeParams read;
  CHECK(cudaGraphKernelNodeGetParams(found, &read));
  printf("clone: grid %u, factor %d\n", read.gridDim.x, *static_cast<int*>(read.kernelParams[1]));
  CHECK(cudaGraphCreate(&parent, 0));
  CHECK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, clone));
  cudaGraphExec_t outer;
  CHECK(cudaGraphInstantiate(&outer, parent, 0));
  CHECK(cudaGraphLaunch(outer, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("as a child: %lld, %d calls\n", checksum(output), calls);

  printf("no such node: %s\n", cudaGetErrorName(cudaGraphNodeFindInClone(&found, child, clone)));
  CHECK(cudaGraphExecDestroy(outer));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(parent));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(device));
}
