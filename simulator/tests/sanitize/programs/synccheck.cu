// Barriers and masks that not all threads agree on.
#include "cases.cuh"

__global__ void half_warp(int* out, int threads) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = t;
  if (t < threads) {
    __syncthreads();  // FIND some_lanes: divergent_barrier_in_warp // FIND some_warps: divergent_barrier_in_block
  }
  out[t] = tile[t];
}
void some_lanes(bool bad) {
  int* out = filled<int>(64);
  half_warp<<<1, 64>>>(out, bad ? 16 : 64);
  cudaFree(out);
}
void some_warps(bool bad) {
  int* out = filled<int>(64);
  half_warp<<<1, 64>>>(out, bad ? 32 : 64);
  cudaFree(out);
}

__global__ void loop(int* out, int limit) {
  const int t = threadIdx.x;
  for (int i = 0; i < min(t + 1, limit); ++i) {
    atomicAdd(out, 1);
    __syncthreads();  // FIND trips: divergent_barrier_in_warp
  }
  out[1] = 1;
}
void trips(bool bad) {
  int* out = filled<int>(2);
  loop<<<1, 32>>>(out, bad ? 2 : 1);
  cudaFree(out);
}

__global__ void named(int* out, int threads) {
  asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");  // FIND odd_count: barrier_thread_count
  out[threadIdx.x] = 1;
}
void odd_count(bool bad) {
  int* out = filled<int>(64);
  named<<<1, 64>>>(out, bad ? 60 : 64);
  cudaFree(out);
}

__global__ void exchange(int* out, unsigned mask) {
  out[threadIdx.x] = __shfl_sync(mask, threadIdx.x, 0);  // FIND without_caller: mask_without_caller thread=(16,0,0)
}
void without_caller(bool bad) {
  int* out = filled<int>(32);
  exchange<<<1, 32>>>(out, bad ? 0xffffu : 0xffffffffu);
  cudaFree(out);
}

__global__ void branch(int* out, unsigned mask) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = 1;
    __syncwarp(mask);  // FIND absent_lanes: mask_lane_missing thread=(0,0,0)
    out[threadIdx.x] = out[threadIdx.x ^ 1];
  }
  out[threadIdx.x + 32] = 1;
}
void absent_lanes(bool bad) {
  int* out = filled<int>(64);
  branch<<<1, 32>>>(out, bad ? 0xffffffffu : 0xffffu);
  cudaFree(out);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"some_lanes", some_lanes}, {"some_warps", some_warps},         {"trips", trips},
                        {"odd_count", odd_count},   {"without_caller", without_caller}, {"absent_lanes", absent_lanes}};
  return run_cases(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
