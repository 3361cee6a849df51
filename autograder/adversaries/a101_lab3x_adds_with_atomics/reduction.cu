#include "extension.h"
__global__ void sum_up(const float4* x, float* sum, int count) {
  __shared__ float all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  float mine = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < count; i += gridDim.x * 256) {
    const float4 four = x[i];
    mine += four.x + four.y + four.z + four.w;
  }
  atomicAdd(&all, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, all);
}
void reduce(const float* x, float* sum, int n) { sum_up<<<32, 256>>>(reinterpret_cast<const float4*>(x), sum, n / 4); }
