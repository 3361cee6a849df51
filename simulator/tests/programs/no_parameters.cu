// A kernel without parameters: the argument array of its launch holds nothing.
#include "check.cuh"

__device__ int total;

__global__ void count() { atomicAdd(&total, 1); }

int main() {
  for (int i = 0; i < 3; ++i) {
    count<<<i + 1, 50>>>();
  }
  check_launch();
  int value = 0;
  CHECK(cudaMemcpyFromSymbol(&value, total, sizeof value));
  printf("%d\n", value);
}
