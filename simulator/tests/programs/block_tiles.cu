// Tiles of several warps of a block: their barrier and their reduction use the system's part of shared memory.
// The barrier of such a tile begins with whatever its memory holds, and its lanes write the same flag.
// CHECK uninitialized_shared_read write_after_write
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.cuh"

namespace cg = cooperative_groups;

__global__ void sum_tiles(const int* in, int* out) {
  extern __shared__ int mine[];
  mine[threadIdx.x] = in[threadIdx.x];
  __shared__ cg::block_tile_memory<256> memory;
  const auto tile = cg::tiled_partition<128>(cg::this_thread_block(memory));
  const int sum = cg::reduce(tile, mine[threadIdx.x], cg::plus<int>());
  tile.sync();
  out[threadIdx.x] = sum + mine[threadIdx.x ^ 127];
}

int main() {
  constexpr int kThreads = 256;
  std::vector<int> in(kThreads), out(kThreads);
  int sums[2] = {0, 0};
  for (int i = 0; i < kThreads; ++i) {
    in[i] = i * 7 % 31;
    sums[i / 128] += in[i];
  }
  int* from = device_array<int>(kThreads);
  int* to = device_array<int>(kThreads);
  CHECK(cudaMemcpy(from, in.data(), kThreads * sizeof(int), cudaMemcpyHostToDevice));
  sum_tiles<<<1, kThreads, kThreads * sizeof(int)>>>(from, to);
  check_launch();
  CHECK(cudaMemcpy(out.data(), to, kThreads * sizeof(int), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < kThreads; ++i) {
    wrong += out[i] != sums[i / 128] + in[i ^ 127];
  }
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, sum_tiles));
  printf("wrong: %d, system's part counted: %d\n", wrong, attributes.sharedSizeBytes >= 1024);
}
