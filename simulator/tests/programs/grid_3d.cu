// Three-dimensional grids and blocks: every thread writes its own linear index.
#include "check.cuh"

__global__ void number(int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  const int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  out[(z * height + y) * width + x] = x + 100 * y + 10000 * z;
}

int main() {
  const dim3 grid(3, 2, 4), block(4, 5, 3);
  const int n = 12 * 10 * 12;
  int* out = device_array<int>(n);
  number<<<grid, block>>>(out);
  check_launch();
  const std::vector<int> got = to_host(out, n);
  printf("%d %d %d\n", got[0], got[12 * 10 * 5 + 12 * 7 + 9], got[n - 1]);
  printf("checksum %lld\n", checksum(got));
}
