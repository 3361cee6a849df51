// Dynamic shared memory of two types in one block, sized by the launch; then more than 48 KiB after asking for it.
#include "check.cuh"

__global__ void block_sum(const int* in, double* out) {
  extern __shared__ double raw[];
  double* sums = raw;
  int* values = reinterpret_cast<int*>(raw + blockDim.x);
  const int t = threadIdx.x;
  values[t] = in[blockIdx.x * blockDim.x + t];
  sums[t] = values[t];
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) {
      sums[t] += sums[t + step];
    }
    __syncthreads();
  }
  if (t == 0) {
    out[blockIdx.x] = sums[0] + values[blockDim.x - 1];
  }
}

__global__ void last_byte(int* out, int bytes) {
  extern __shared__ double raw[];
  char* all = reinterpret_cast<char*>(raw);
  all[bytes - 1 - threadIdx.x] = static_cast<char>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = all[bytes - 32 + threadIdx.x];
}

int main() {
  std::vector<int> in(512);
  for (int i = 0; i < 512; ++i) {
    in[i] = i;
  }
  double* out = device_array<double>(4);
  block_sum<<<4, 128, 128 * (sizeof(double) + sizeof(int))>>>(to_device(in), out);
  check_launch();
  for (double sum : to_host(out, 4)) {
    printf("%.0f\n", sum);
  }
  const int bytes = 60 * 1024;
  int* bytes_out = device_array<int>(32);
  last_byte<<<1, 32, bytes>>>(bytes_out, bytes);
  printf("without asking: %s\n", cudaGetErrorName(cudaGetLastError()));
  CHECK(cudaFuncSetAttribute(last_byte, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  last_byte<<<1, 32, bytes>>>(bytes_out, bytes);
  check_launch();
  const std::vector<int> got = to_host(bytes_out, 32);
  printf("after asking: %d %d\n", got[0], got[31]);
}
