// For tests of the debugger: divergence, a call, a barrier, shared and local memory, a loop; prints what it computes.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

struct Scale {
  float factor;
  int offsets[3];
};

__device__ int launches;

__device__ float apply(float value, Scale scale) {
  float result = value * scale.factor;
  for (int k = 0; k < 3; ++k) {
    result += scale.offsets[k];
  }
  return result;
}

__global__ void work(float* out, const float* in, int n, Scale scale) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  float value = tile[63 - threadIdx.x];
  if (i < n) {
    value = apply(value, scale);
  } else {
    value = -1;
  }
  out[i] = value;
  if (i == 0) {
    launches += 1;
  }
}

int main(int argc, char** argv) {
  const int launches_wanted = argc > 1 ? atoi(argv[1]) : 1;
  constexpr int kBlocks = 3, kThreads = 64, kCount = kBlocks * kThreads;
  std::vector<float> values(kCount);
  for (int i = 0; i < kCount; ++i) {
    values[i] = static_cast<float>(i);
  }
  float *in, *out;
  cudaMalloc(&in, kCount * sizeof(float));
  cudaMalloc(&out, kCount * sizeof(float));
  cudaMemcpy(in, values.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
  for (int launch = 0; launch < launches_wanted; ++launch) {
    work<<<kBlocks, kThreads>>>(out, in, 150, Scale{2.0f, {1, 2, 3}});
  }
  cudaMemcpy(values.data(), out, kCount * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : values) {
    sum += value;
  }
  printf("out[0] %g, out[149] %g, out[150] %g, sum %g\n", values[0], values[149], values[150], sum);
  return 0;
}
