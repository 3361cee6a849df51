// Work issued to streams, captured with a fork and a join, launched many times; and what a capture forbids.
#include "check.cuh"

__global__ void add(int* p, int amount, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i] += amount;
  }
}
__global__ void combine(const int* a, const int* b, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    sum[i] += a[i] * b[i];
  }
}

int main() {
  const int n = 512;
  int *a = device_array<int>(n), *b = device_array<int>(n), *sum = device_array<int>(n);
  cudaStream_t first, second;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  cudaEvent_t fork, join;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  add<<<2, 256, 0, first>>>(a, 1, n);
  add<<<2, 256, 0, second>>>(b, 2, n);
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  combine<<<2, 256, 0, first>>>(a, b, sum, n);
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(second, &status));
  printf("second stream captures too: %d\n", status == cudaStreamCaptureStatusActive);
  CHECK(cudaStreamEndCapture(first, &graph));
  CHECK(cudaStreamIsCapturing(second, &status));
  printf("over: %d\n", status == cudaStreamCaptureStatusNone);

  size_t nodes = 0, roots = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  printf("%zu nodes, %zu roots\n", nodes, roots);
  CHECK(cudaDeviceSynchronize());
  printf("nothing ran: %lld\n", checksum(to_host(sum, n)));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  for (int i = 0; i < 10; ++i) {
    CHECK(cudaGraphLaunch(exec, first));
  }
  CHECK(cudaStreamSynchronize(first));
  printf("after ten launches: a %d, b %d, sum %d\n", to_host(a, n)[7], to_host(b, n)[7], to_host(sum, n)[7]);

  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  void* memory = nullptr;
  printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&memory, 4)));
  cudaGetLastError();
  cudaGraph_t broken = graph;
  printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(first, &broken)));
  printf("no graph: %d\n", broken == nullptr);
  cudaGetLastError();
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
  printf("synchronize: %s\n", cudaGetErrorName(cudaStreamSynchronize(first)));
  cudaGetLastError();
  printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(first, &broken)));
  cudaGetLastError();
  printf("legacy stream: %s\n", cudaGetErrorName(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal)));
  cudaGetLastError();
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaDeviceSynchronize());
}
