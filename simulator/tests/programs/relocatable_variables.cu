// Separate compilation (-rdc=true) with large variables in global and shared memory, of this part and of another one.
#include "check.cuh"

__device__ int table[100000];
__device__ int counter;
__constant__ int factors[4] = {2, 3, 5, 7};
extern __device__ int offset;
__device__ int staged(int x);

__global__ void kernel(int* out) {
  __shared__ int tile[8192];
  for (int i = static_cast<int>(threadIdx.x); i < 8192; i += static_cast<int>(blockDim.x)) {
    tile[i] = staged(i) * factors[i % 4];
  }
  __syncthreads();
  const int t = static_cast<int>(threadIdx.x);
  out[t] = tile[8191 - t] + table[t] + offset;
  atomicAdd(&counter, 1);
}

int main() {
  int* out = device_array<int>(128);
  kernel<<<1, 128>>>(out);
  check_launch();
  int counted = 0;
  CHECK(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
  printf("%lld %d\n", checksum(to_host(out, 128)), counted);
}
