// P: managed memory that is where it is needed. Target: no page fault on the GPU.
#include "extension.h"

// BEGIN STUDENT
__global__ void update(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = 2 * x[i] + 1;
  }
}

void update_managed(float* x, int n) {
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetPreferredLocation, device));
  CUDA_CHECK(cudaMemPrefetchAsync(x, n * sizeof(float), device, 0));
  update<<<(n + 255) / 256, 256>>>(x, n);
  CUDA_CHECK(cudaMemPrefetchAsync(x, n * sizeof(float), cudaCpuDeviceId, 0));
}
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
