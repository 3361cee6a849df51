// Floating-point atomics with sums that are exact in any order, and a maximum made of compare-and-swap.
#include "check.cuh"

__device__ void atomic_max(float* p, float value) {
  int* bits = reinterpret_cast<int*>(p);
  int seen = *bits;
  while (__int_as_float(seen) < value) {
    const int assumed = seen;
    seen = atomicCAS(bits, assumed, __float_as_int(value));
    if (seen == assumed) {
      break;
    }
  }
}

__global__ void work(float* f, double* d, int* histogram) {
  __shared__ float partial;
  __shared__ int bins[16];
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 16) {
    bins[threadIdx.x] = 0;
  }
  if (threadIdx.x == 0) {
    partial = 0;
  }
  __syncthreads();
  atomicAdd(&partial, 0.5f);
  atomicAdd(&bins[t * 7 % 13], 1);
  atomicAdd(&d[0], 0.25 * t);
  atomic_max(&f[1], static_cast<float>(t * 37 % 256));
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&f[0], partial);
    atomicExch(&f[2], 1.5f);
  }
  if (threadIdx.x < 16) {
    atomicAdd(&histogram[threadIdx.x], bins[threadIdx.x]);
  }
}

int main() {
  float* f = device_array<float>(3);
  double* d = device_array<double>(1);
  int* histogram = device_array<int>(16);
  work<<<4, 64>>>(f, d, histogram);
  check_launch();
  for (float value : to_host(f, 3)) {
    printf("%.2f\n", value);
  }
  printf("%.2f\n", to_host(d, 1)[0]);
  for (int value : to_host(histogram, 16)) {
    printf("%d ", value);
  }
  printf("\n");
}
