// A value written by lane 0 alone, in a divergent branch, must be what all lanes read from lane 0 afterwards.
// Simulators that keep one copy of a register per divergent path get this wrong (GPGPU-Sim, issue 230).
#include "check.cuh"

__global__ void broadcast(int* out, int* cursor) {
  const int lane = threadIdx.x % 32;
  int base = -1;
  if (lane == 0) {
    base = atomicAdd(cursor, 32);
  }
  base = __shfl_sync(0xffffffffu, base, 0);
  out[base + lane] = lane + 1;
  int value = lane;
  if (lane % 3 == 1) {
    value = 100 + lane;
  } else if (lane % 3 == 2) {
    value = 200 + lane;
  }
  out[128 + threadIdx.x] = __shfl_down_sync(0xffffffffu, value, 1);
}

int main() {
  int* out = device_array<int>(256);
  int* cursor = device_array<int>(1);
  broadcast<<<1, 128>>>(out, cursor);
  check_launch();
  const std::vector<int> got = to_host(out, 256);
  printf("filled %lld\n", checksum(std::vector<int>(got.begin(), got.begin() + 128)));
  for (int lane = 0; lane < 32; ++lane) {
    printf("%d ", got[128 + lane]);
  }
  printf("\n");
}
