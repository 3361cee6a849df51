// Streams run in order, events order them against each other and measure time.
#include "check.cuh"

__global__ void step(int* p, int multiply, int add, int spins) {
  int value = *p;
  for (int i = 0; i < spins; ++i) {
    value = value * multiply + add;
  }
  *p = value;
}

int main() {
  cudaStream_t first, second;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t start, stop, handover;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventCreateWithFlags(&handover, cudaEventDisableTiming));
  int* p = to_device(std::vector<int>{1});
  int host = 0;
  CHECK(cudaEventRecord(start, first));
  step<<<1, 1, 0, first>>>(p, 1, 2, 1000);
  CHECK(cudaEventRecord(handover, first));
  CHECK(cudaStreamWaitEvent(second, handover, 0));
  step<<<1, 1, 0, second>>>(p, 3, 1, 2);
  CHECK(cudaMemcpyAsync(&host, p, sizeof host, cudaMemcpyDeviceToHost, second));
  CHECK(cudaStreamSynchronize(second));
  CHECK(cudaEventRecord(stop, first));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  printf("value %d, time passed: %d\n", host, milliseconds > 0);
  printf("query %s\n", cudaGetErrorName(cudaStreamQuery(first)));
  printf("no timing: %s\n", cudaGetErrorName(cudaEventElapsedTime(&milliseconds, start, handover)));
  cudaGetLastError();
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaEventDestroy(handover));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}
