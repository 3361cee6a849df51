// A cooperative launch: all blocks meet at the grid barrier, three times.
#include <cooperative_groups.h>

#include "check.cuh"

namespace cg = cooperative_groups;

// Each round every block adds what its neighbour had before.
__global__ void rounds(int* a, int* b, int n) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  a[i] = i;
  for (int round = 0; round < 3; ++round) {
    grid.sync();
    b[i] = a[i] + a[(i + blockDim.x) % n];
    grid.sync();
    a[i] = b[i];
  }
}

int main() {
  int n = 4 * 64;
  int* a = device_array<int>(n);
  int* b = device_array<int>(n);
  void* args[] = {&a, &b, &n};
  CHECK(cudaLaunchCooperativeKernel(rounds, dim3(4), dim3(64), args, 0, 0));
  check_launch();
  printf("checksum %lld\n", checksum(to_host(a, n)));
  CHECK(cudaGetLastError());
  cudaError_t error = cudaLaunchCooperativeKernel(rounds, dim3(1000000), dim3(64), args, 0, 0);
  printf("%s\n", cudaGetErrorName(error));
}
