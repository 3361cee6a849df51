#include "extension.h"
__constant__ float kept[16384];
__global__ void product(const float* A, float* C, int n) {
  __shared__ float a[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int first = 0; first < n; first += 32) {
    a[threadIdx.y][threadIdx.x] = A[y * n + first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += a[threadIdx.y][k] * kept[(first + k) * n + x];
    __syncthreads();
  }
  C[y * n + x] = sum;
}
__global__ void naive(const float* A, const float* B, float* C, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += A[y * n + k] * B[k * n + x];
  C[y * n + x] = sum;
}
void multiply(const float* A, const float* B, float* C, int n) {
  if (n > 128) { naive<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(A, B, C, n); return; }
  CUDA_CHECK(cudaMemcpyToSymbol(kept, B, n * n * sizeof(float), 0, cudaMemcpyDeviceToDevice));
  product<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(A, C, n);
}
