// Lanes that exit, or go around, while others of their warp already wait: nobody waits for them.
// CHECK mask_lane_missing
#include "check.cuh"

__global__ void exit_behind_a_loop(int* out, int n) {
  const int t = threadIdx.x;
  if (t % 2 != 0) {
    int sum = 0;
    for (int i = 0; i < t * n; ++i) {
      sum += out[i % 8];
    }
    if (sum < 0) {
      out[0] = sum;
    }
    return;
  }
  __syncthreads();
  out[t] = t + 1;
}

__global__ void exit_between_barriers(int* out, int n) {
  const int t = threadIdx.x;
  if (t >= n) {
    asm volatile("exit;");
  }
  __syncthreads();
  out[t] = t;
  if (t % 2 != 0) {
    return;
  }
  __syncthreads();
  out[t] += 1;
}

__global__ void leave_a_loop(int* out, int n) {
  const int t = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    if (i == t % n) {
      return;
    }
    __syncthreads();
    out[t] += i;
  }
}

__global__ void named_barrier(int* out, int n) {
  const int t = threadIdx.x;
  if (t % 3 == 2 && t < n) {
    for (volatile int i = 0; i < t; i = i + 1) {
    }
    asm volatile("exit;");
  }
  asm volatile("bar.sync 3, 64;");
  out[t] = t;
}

__device__ __noinline__ int exits_in_a_function(int t) {
  if (t % 2 != 0) {
    asm volatile("exit;");
  }
  __syncthreads();
  return t;
}
__global__ void function(int* out, int) { out[threadIdx.x] = exits_in_a_function(static_cast<int>(threadIdx.x)); }

__global__ void around_a_vote(int* out, int n) {
  const int t = threadIdx.x;
  if (t < n) {
    out[t] = static_cast<int>(__ballot_sync(0xffffffffu, t % 2));
  }
  out[t] += 5;
}

__global__ void votes_in_a_loop(int* out, int) {
  const int t = threadIdx.x;
#pragma unroll 1  // all lanes of the mask must be at one vote: copies of it in an unrolled loop would be several
  for (int k = t; k > 0; --k) {
    out[t] += __any_sync(0xffffffffu, k > 3);
  }
}

template <class Kernel>
void run(const char* name, Kernel kernel, int threads, int n) {
  int* out = device_array<int>(128);
  kernel<<<1, threads>>>(out, n);
  check_launch();
  printf("%s, %d threads: %lld\n", name, threads, checksum(to_host(out, 128)));
  CHECK(cudaFree(out));
}

int main() {
  for (const int threads : {32, 96}) {
    run("exit behind a loop", exit_behind_a_loop, threads, 3);
    run("exit between barriers", exit_between_barriers, threads, 17);
    run("leave a loop", leave_a_loop, threads, 8);
    run("exit in a function", function, threads, 0);
  }
  run("named barrier", named_barrier, 64, 64);
  run("around a vote", around_a_vote, 32, 17);
  run("votes in a loop", votes_in_a_loop, 32, 0);
}
