// For tests of breakpoints: device code with host code around it, and lines without code of their own.
#include <cuda_runtime.h>

#include <cstdio>

__device__ float twice(float v) {
  float result = v * 2;

  // No code here.
  return result + 1;
}

static void greet(int n) {
  printf("%d\n", n);
}

template <int N>
__global__ void
work(float* out,
     const float* in) {
  // No code here either.

  int i = threadIdx.x;
  float x = in[i];
  for (int k = 0; k < N; ++k) {
    x = twice(x);
  }
  out[i] = x;
}

__global__ void oneliner(float* out) { out[threadIdx.x] = 1; }

__global__ void unused(float* out) {
  out[threadIdx.x] = 1;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  greet(1);
  oneliner<<<1, 32>>>(in);
  work<3><<<1, 64>>>(out, in);
  return cudaDeviceSynchronize();
}
