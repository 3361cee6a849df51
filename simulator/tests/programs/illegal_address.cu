// A kernel that writes outside every allocation: the error comes at the next synchronisation and stays.
// CHECK invalid_global_write
#include "check.cuh"

__global__ void wild(int* p) { p[threadIdx.x] = 1; }

int main() {
  int* p = device_array<int>(1);
  wild<<<1, 1>>>(reinterpret_cast<int*>(16));
  printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("synchronize: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  printf("free: %s\n", cudaGetErrorName(cudaFree(p)));
  cudaGetLastError();
  printf("again: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
