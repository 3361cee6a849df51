// A kernel that answers the host while it runs: each side waits in a loop for what the other one writes to pinned
// memory.
#include "check.cuh"

constexpr int kRounds = 4;

__global__ void answer(volatile int* turn, volatile int* value) {
  for (int round = 1; round <= kRounds; ++round) {
    while (*turn != 2 * round - 1) {
    }
    *value = *value * 2 + round;
    __threadfence_system();
    *turn = 2 * round;
  }
}

int main() {
  int* pinned = nullptr;
  CHECK(cudaHostAlloc(&pinned, 256, cudaHostAllocMapped));
  int* mapped = nullptr;
  CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0));
  volatile int* turn = pinned;
  volatile int* value = pinned + 32;
  *turn = 0;
  *value = 1;
  answer<<<1, 1>>>(mapped, mapped + 32);
  for (int round = 1; round <= kRounds; ++round) {
    *turn = 2 * round - 1;
    while (*turn != 2 * round) {
    }
    printf("round %d: %d\n", round, *value);
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFreeHost(pinned));
  printf("the kernel has ended\n");
  return 0;
}
