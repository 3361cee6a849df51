// A histogram whose bins are spread over the shared memory of a cluster: lanes of one atomic go to different blocks.
#include "cluster_launch.cuh"

namespace cg = cooperative_groups;

constexpr unsigned kBins = 240;

__global__ void count(const unsigned* values, size_t n, unsigned* bins) {
  extern __shared__ unsigned mine[];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned per_block = kBins / cluster.num_blocks();
  for (unsigned i = threadIdx.x; i < per_block; i += blockDim.x) {
    mine[i] = 0;
  }
  cluster.sync();
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) {
    const unsigned bin = values[i] % kBins;
    atomicAdd(cluster.map_shared_rank(mine, static_cast<int>(bin / per_block)) + bin % per_block, 1u);
  }
  cluster.sync();
  for (unsigned i = threadIdx.x; i < per_block; i += blockDim.x) {
    atomicAdd(&bins[cluster.block_rank() * per_block + i], mine[i]);
  }
}

int main() {
  std::vector<unsigned> values(20000);
  unsigned state = 12345;
  std::vector<unsigned> expected(kBins);
  for (unsigned& value : values) {
    state = state * 1664525u + 1013904223u;
    value = state >> 13;
    ++expected[value % kBins];
  }
  const unsigned* in = to_device(values);
  for (const unsigned size : {1u, 2u, 3u, 4u, 5u, 8u}) {
    unsigned* bins = device_array<unsigned>(kBins);
    const unsigned blocks = size * 6;
    const ClusterLaunch launch(dim3(blocks), dim3(128), dim3(size), kBins / size * sizeof(unsigned));
    CHECK(cudaLaunchKernelEx(&launch.config, count, in, values.size(), bins));
    check_launch();
    printf("clusters of %u: %s\n", size, to_host(bins, kBins) == expected ? "right" : "wrong");
    CHECK(cudaFree(bins));
  }
  return 0;
}
