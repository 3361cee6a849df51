// What a failed assertion says goes to stderr, behind what the kernel printed, and only its error reaches stdout.
#include <cassert>

#include "check.cuh"

__global__ void small(int n) {
  printf("%d\n", n);
  assert(n < 10);
}

int main() {
  small<<<1, 1>>>(3);
  CHECK(cudaDeviceSynchronize());
  small<<<1, 1>>>(30);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
