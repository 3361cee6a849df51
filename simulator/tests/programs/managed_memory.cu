// Managed memory and managed variables, one of them read by the host before the first launch.
#include "check.cuh"

__device__ __managed__ int start = 4;
__managed__ double table[3];

__global__ void scale(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] *= start;
  }
  if (i < 3) {
    table[i] += i + 0.5;
  }
}

int main() {
  printf("before the first launch: %d\n", start);
  table[1] = 10;
  start = 3;
  int* data = nullptr;
  CHECK(cudaMallocManaged(&data, 100 * sizeof(int)));
  for (int i = 0; i < 100; ++i) {
    data[i] = i;
  }
  scale<<<2, 64>>>(data, 100);
  check_launch();
  long long sum = 0;
  for (int i = 0; i < 100; ++i) {
    sum += data[i];
  }
  printf("sum %lld\n", sum);
  printf("table %.1f %.1f %.1f\n", table[0], table[1], table[2]);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, data));
  printf("managed: %d\n", attributes.type == cudaMemoryTypeManaged);
  CHECK(cudaFree(data));
}
