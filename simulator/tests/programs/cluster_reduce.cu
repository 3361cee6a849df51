// Sums over clusters in two ways: the first block gathers what the others have, or all of them add to its memory.
#include "cluster_launch.cuh"

namespace cg = cooperative_groups;

__global__ void gather(const int* values, long long* sums) {
  __shared__ long long part;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    part = 0;
  }
  __syncthreads();
  atomicAdd(reinterpret_cast<unsigned long long*>(&part),
            static_cast<unsigned long long>(values[blockIdx.x * blockDim.x + threadIdx.x]));
  cluster.sync();
  if (cluster.thread_rank() < cluster.num_blocks()) {
    const long long theirs = *cluster.map_shared_rank(&part, static_cast<int>(cluster.thread_rank()));
    atomicAdd(reinterpret_cast<unsigned long long*>(&sums[blockIdx.x / cluster.num_blocks()]),
              static_cast<unsigned long long>(theirs));
  }
  cluster.sync();  // no block leaves while its memory is read
}

__global__ void push(const int* values, long long* sums, unsigned* places) {
  extern __shared__ unsigned long long total[];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned long long* const first = cluster.map_shared_rank(total, 0);
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    *total = 0;
  }
  cluster.sync();
  atomicAdd(first, static_cast<unsigned long long>(values[blockIdx.x * blockDim.x + threadIdx.x]));
  if (threadIdx.x == 0) {
    places[blockIdx.x] = cluster.query_shared_rank(first) * 100 + cluster.query_shared_rank(total);
  }
  cluster.sync();
  if (cluster.thread_rank() == 0) {
    sums[blockIdx.x / cluster.num_blocks()] = static_cast<long long>(*total);
  }
}

int main() {
  constexpr unsigned kBlocks = 24, kThreads = 96;
  std::vector<int> values(kBlocks * kThreads);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>(i * 7919 % 2003) - 1000;
  }
  const int* in = to_device(values);
  for (const unsigned size : {2u, 4u, 6u, 8u}) {
    std::vector<long long> expected(kBlocks / size);
    for (size_t i = 0; i < values.size(); ++i) {
      expected[i / kThreads / size] += values[i];
    }
    long long* sums = device_array<long long>(kBlocks / size);
    unsigned* places = device_array<unsigned>(kBlocks);
    const ClusterLaunch launch(dim3(kBlocks), dim3(kThreads), dim3(size), sizeof(long long));
    CHECK(cudaLaunchKernelEx(&launch.config, gather, in, sums));
    check_launch();
    const bool gathered = to_host(sums, kBlocks / size) == expected;
    CHECK(cudaLaunchKernelEx(&launch.config, push, in, sums, places));
    check_launch();
    const bool pushed = to_host(sums, kBlocks / size) == expected;
    const std::vector<unsigned> ranks = to_host(places, kBlocks);
    bool right_places = true;
    for (unsigned block = 0; block < kBlocks; ++block) {
      right_places = right_places && ranks[block] == block % size;
    }
    printf("clusters of %u: gathered %s, pushed %s, ranks %s\n", size, gathered ? "right" : "wrong",
           pushed ? "right" : "wrong", right_places ? "right" : "wrong");
  }
  return 0;
}
