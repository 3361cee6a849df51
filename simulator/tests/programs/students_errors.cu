// Mistakes that beginners make: the program hears CUDA's code, and stderr says what to do.
// CHECK invalid_global_write
#include "check.cuh"

__global__ void store(int* p) { p[threadIdx.x] = 1; }
__global__ void shared_store(int* p) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = 1;
  p[threadIdx.x] = buffer[threadIdx.x];
}

int main() {
  int* p = device_array<int>(1024);
  store<<<1, 2048>>>(p);
  printf("too many threads: %s\n", cudaGetErrorName(cudaGetLastError()));
  shared_store<<<1, 32, 60000>>>(p);
  printf("too much shared memory: %s\n", cudaGetErrorName(cudaGetLastError()));
  CHECK(cudaFuncSetAttribute(shared_store, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  shared_store<<<1, 32, 60000>>>(p);
  printf("after asking for it: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("more than there is: %s\n",
         cudaGetErrorName(cudaFuncSetAttribute(shared_store, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20)));
  cudaGetLastError();
  store<<<0, 32>>>(p);
  std::vector<int> host(32);
  store<<<1, 32>>>(host.data());
  printf("host pointer: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
