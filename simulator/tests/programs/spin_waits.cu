// Lanes of one warp that wait for each other in loops with calls, branches and sleeps: locks and flags passed on.
#include "check.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define NAP() __nanosleep(100)
#else
#define NAP()
#endif

__device__ __noinline__ bool try_lock(int* lock) { return atomicCAS(lock, 0, 1) == 0; }
__device__ __noinline__ int peek(const volatile int* flag) { return *flag; }
__device__ __noinline__ void nap() { NAP(); }

__device__ void add_and_unlock(int* lock, volatile int* sum) {
  *sum = *sum + static_cast<int>(threadIdx.x);
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void lock_by_a_call(int* lock, volatile int* sum) {
  while (!try_lock(lock)) {
  }
  add_and_unlock(lock, sum);
}

// Some of those who wait take a loop of their own on their way round.
__global__ void lock_with_branches(int* lock, volatile int* sum, int rounds) {
  int x = 0;
  while (atomicCAS(lock, 0, 1) != 0) {
    if (threadIdx.x % 2 == 1) {
      for (int i = 0; i < rounds * static_cast<int>(threadIdx.x % 4); ++i) {
        x = x * 3 + i;
      }
    }
  }
  add_and_unlock(lock, sum);
  if (x == 1) {
    *sum = -1;
  }
}

__global__ void lock_with_naps(int* lock, volatile int* sum) {
  while (!try_lock(lock)) {
    nap();
  }
  add_and_unlock(lock, sum);
}

// Everyone waits for the lane before.
__global__ void in_turn(volatile int* flags, int* order, int* next) {
  const int t = static_cast<int>(threadIdx.x);
  while (t > 0 && peek(flags + t - 1) == 0) {
  }
  order[(*next)++] = t;
  __threadfence();
  flags[t] = 1;
}

int main() {
  int* words = device_array<int>(4);
  int* flags = device_array<int>(64);
  int* order = device_array<int>(64);
  const int threads = 45, blocks = 2;
  lock_by_a_call<<<blocks, threads>>>(words, words + 1);
  check_launch();
  lock_with_branches<<<blocks, threads>>>(words, words + 2, 3);
  check_launch();
  lock_with_naps<<<blocks, threads>>>(words, words + 3);
  check_launch();
  for (int word : to_host(words, 4)) {
    printf("%d ", word);
  }
  CHECK(cudaMemset(words, 0, 16));
  in_turn<<<1, 64>>>(flags, order, words);
  check_launch();
  const std::vector<int> got = to_host(order, 64);
  bool ascending = true;
  for (int i = 0; i < 64; ++i) {
    ascending = ascending && got[static_cast<size_t>(i)] == i;
  }
  printf("\nin turn: %s\n", ascending ? "yes" : "no");
}
