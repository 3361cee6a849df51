// A local array with an index known only at run time: insertion sort per thread.
#include "check.cuh"

__global__ void sort(const int* in, int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int values[16];
  for (int i = 0; i < 16; ++i) {
    values[i] = in[t * 16 + i];
  }
  for (int i = 1; i < 16; ++i) {
    const int value = values[i];
    int j = i;
    while (j > 0 && values[j - 1] > value) {
      values[j] = values[j - 1];
      --j;
    }
    values[j] = value;
  }
  for (int i = 0; i < 16; ++i) {
    out[t * 16 + i] = values[i];
  }
}

int main() {
  const int n = 64 * 16;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) {
    in[i] = i * 7919 % 1009;
  }
  int* out = device_array<int>(n);
  sort<<<2, 32>>>(to_device(in), out);
  check_launch();
  const std::vector<int> got = to_host(out, n);
  int unsorted = 0;
  for (int i = 1; i < n; ++i) {
    unsorted += i % 16 != 0 && got[i - 1] > got[i];
  }
  printf("unsorted %d, checksum %lld\n", unsorted, checksum(got));
}
