// A kernel that answers the host while it runs: each side waits in a loop for what the other one writes to pinned,
// then to managed memory.
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

void talk(volatile int* turn, const volatile int* value) {
  for (int round = 1; round <= kRounds; ++round) {
    *turn = 2 * round - 1;
    while (*turn != 2 * round) {
    }
    printf("round %d: %d\n", round, *value);
  }
  CHECK(cudaDeviceSynchronize());
}

int main() {
  int* pinned = nullptr;
  CHECK(cudaHostAlloc(&pinned, 256, cudaHostAllocMapped));
  int* mapped = nullptr;
  CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0));
  pinned[0] = 0;
  pinned[32] = 1;
  answer<<<1, 1>>>(mapped, mapped + 32);
  talk(pinned, pinned + 32);
  CHECK(cudaFreeHost(pinned));
  printf("the kernel has ended\n");

  int* managed = nullptr;
  CHECK(cudaMallocManaged(&managed, 256));
  managed[0] = 0;
  managed[32] = 2;
  answer<<<1, 1>>>(managed, managed + 32);
  talk(managed, managed + 32);
  CHECK(cudaFree(managed));
  return 0;
}
