// Every thread of several blocks takes a lock by atomicCAS. Each gets it soon: lanes of the owner's warp do not wait for the owner
// for ever, and the owner's stores reach L2 although all other warps keep its slice busy with atomics.
#include "check.cuh"

__global__ void add_one(int* lock, volatile int* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *sum = *sum + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  int* memory = device_array<int>(2);
  for (const int blocks : {1, 4, 8}) {
    CHECK(cudaMemset(memory, 0, 2 * sizeof(int)));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    add_one<<<blocks, 64>>>(memory, memory + 1);
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    const int sum = to_host(memory, 2)[1];
    printf("%d blocks: %d times, less than 5 us each: %s\n", blocks, sum, 1000 * ms / sum < 5 ? "yes" : "no");
  }
  CHECK(cudaFree(memory));
}
