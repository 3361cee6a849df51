// Threads that leave before __syncthreads(): the others meet without them.
#include "check.cuh"

__global__ void leave_early(int* out, int n) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = 0;
  if (t >= n) {
    return;
  }
  tile[t] = t + 1;
  __syncthreads();
  out[t] = tile[n - 1 - t];
  __syncthreads();
  tile[t] = out[t] * 2;
  __syncthreads();
  out[t] += tile[(t + 1) % n];
}

int main() {
  int* out = device_array<int>(128);
  const int lengths[3] = {128, 70, 33};
  for (int n : lengths) {
    leave_early<<<1, 128>>>(out, n);
    check_launch();
    printf("%d: %lld\n", n, checksum(to_host(out, n)));
  }
}
