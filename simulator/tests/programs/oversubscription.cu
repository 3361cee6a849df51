// Managed memory of more than the GPU has: every page is there when it is used, and comes back with what was written.
#include "check.cuh"

constexpr size_t kRoom = 8 << 20, kCount = 3 * kRoom / sizeof(unsigned);

__global__ void add(unsigned* data, unsigned what) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  data[i] += what + static_cast<unsigned>(i);
}

int main() {
  size_t free = 0, total = 0;
  CHECK(cudaMemGetInfo(&free, &total));
  void* rest = nullptr;
  CHECK(cudaMalloc(&rest, free - kRoom));
  unsigned* data = nullptr;
  CHECK(cudaMallocManaged(&data, kCount * sizeof(unsigned)));
  for (size_t i = 0; i < kCount; ++i) {
    data[i] = 1;
  }
  for (unsigned sweep = 0; sweep < 3; ++sweep) {
    add<<<kCount / 256, 256>>>(data, sweep);
    check_launch();
  }
  size_t wrong = 0;
  for (size_t i = 0; i < kCount; ++i) {
    wrong += data[i] != 4 + 3 * static_cast<unsigned>(i) ? 1 : 0;
  }
  printf("%zu wrong\n", wrong);
  CHECK(cudaFree(data));
  CHECK(cudaFree(rest));
}
