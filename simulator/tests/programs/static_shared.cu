// A static shared array reverses each block of 64.
#include "check.cuh"

__global__ void reverse(int* data) {
  __shared__ int tile[64];
  const int base = blockIdx.x * 64;
  tile[threadIdx.x] = data[base + threadIdx.x];
  __syncthreads();
  data[base + threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
  std::vector<int> data(256);
  for (int i = 0; i < 256; ++i) {
    data[i] = i;
  }
  int* d = to_device(data);
  reverse<<<4, 64>>>(d);
  check_launch();
  data = to_host(d, 256);
  printf("%d %d %d %d\n", data[0], data[63], data[64], data[255]);
  printf("checksum %lld\n", checksum(data));
}
