// A value goes through three kernels, a function, shared and local memory; one lane reads shared memory that nobody wrote.
#include <cuda_runtime.h>
#include <stdio.h>

__device__ __noinline__ float square(float v) { return v * v; }

__global__ void squares(const float* in, float* out) {
  out[threadIdx.x] = square(in[threadIdx.x]);
}

__global__ void shift(const float* in, float* out) {
  __shared__ float tile[33];
  tile[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x + 1];
}

__global__ void scale(float* v, float factor) {
  float steps[2];
  for (int k = 0; k < 2; ++k) {
    steps[k] = factor + k;
  }
  v[threadIdx.x] = v[threadIdx.x] * steps[threadIdx.x & 1];
}

int main() {
  constexpr int kCount = 64;
  float values[kCount];
  for (int i = 0; i < kCount; ++i) {
    values[i] = i;
  }
  float *a, *b, *c;
  cudaMalloc(&a, sizeof values);
  cudaMalloc(&b, sizeof values);
  cudaMalloc(&c, sizeof values + 128);
  cudaMemset(c, 0, sizeof values + 64);
  cudaMemcpy(a, values, sizeof values, cudaMemcpyHostToDevice);
  squares<<<1, kCount>>>(a, b);
  shift<<<2, 32>>>(b, c);
  scale<<<1, kCount>>>(c, 10);
  cudaMemcpy(values, c, sizeof values, cudaMemcpyDeviceToHost);
  printf("%g %g at %p\n", values[40], values[31], static_cast<void*>(c));
  return 0;
}
