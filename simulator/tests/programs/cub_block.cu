// CUB inside a block and a warp: load and store through a transposition, reduction, scan, radix sort.
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#include <algorithm>
#include <numeric>

#include "check.cuh"

constexpr int kThreads = 128, kItems = 4, kTile = kThreads * kItems;

// Sorts each tile and replaces it with its running sums.
__global__ void tiles(const int* in, int* out, int* totals) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_TRANSPOSE>;
  using Reduce = cub::BlockReduce<int, kThreads>;
  using Scan = cub::BlockScan<int, kThreads>;
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
  } shared;
  int items[kItems];
  Load(shared.load).Load(in + blockIdx.x * kTile, items);
  __syncthreads();
  const int total = Reduce(shared.reduce).Sum(items);
  if (threadIdx.x == 0) {
    totals[blockIdx.x] = total;
  }
  __syncthreads();
  Sort(shared.sort).Sort(items);
  __syncthreads();
  Scan(shared.scan).InclusiveSum(items, items);
  __syncthreads();
  Store(shared.store).Store(out + blockIdx.x * kTile, items);
}

// Groups of 8 lanes: the sum of the first `threadIdx.x / 8 % 8 + 1` values, and the scan of all.
__global__ void lanes(const int* in, int* sums, int* scans) {
  using Reduce = cub::WarpReduce<int, 8>;
  using Scan = cub::WarpScan<int, 8>;
  __shared__ typename Reduce::TempStorage reduce[kThreads / 8];
  __shared__ typename Scan::TempStorage scan[kThreads / 8];
  const int group = threadIdx.x / 8;
  const int sum = Reduce(reduce[group]).Sum(in[threadIdx.x], group % 8 + 1);
  if (threadIdx.x % 8 == 0) {
    sums[group] = sum;
  }
  Scan(scan[group]).ExclusiveSum(in[threadIdx.x], scans[threadIdx.x]);
}

int main() {
  const int blocks = 6;
  std::vector<int> in(blocks * kTile);
  unsigned seed = 7;
  for (int& x : in) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<int>(seed >> 16) % 2000 - 1000;
  }
  int* device_in = to_device(in);
  int* out = device_array<int>(in.size());
  int* totals = device_array<int>(blocks);
  tiles<<<blocks, kThreads>>>(device_in, out, totals);
  check_launch();
  std::vector<int> expected = in, sums;
  for (auto tile = expected.begin(); tile != expected.end(); tile += kTile) {
    sums.push_back(std::accumulate(tile, tile + kTile, 0));
    std::sort(tile, tile + kTile);
    std::partial_sum(tile, tile + kTile, tile);
  }
  printf("block: reduce %d, sort and scan %d\n", to_host(totals, blocks) == sums, to_host(out, in.size()) == expected);

  lanes<<<1, kThreads>>>(device_in, totals = device_array<int>(kThreads / 8), out);
  check_launch();
  std::vector<int> group_sums, group_scans;
  for (int group = 0; group < kThreads / 8; ++group) {
    const auto begin = in.begin() + group * 8;
    group_sums.push_back(std::accumulate(begin, begin + group % 8 + 1, 0));
    for (int lane = 0; lane < 8; ++lane) {
      group_scans.push_back(std::accumulate(begin, begin + lane, 0));
    }
  }
  printf("warp: reduce %d, scan %d\n", to_host(totals, kThreads / 8) == group_sums,
         to_host(out, kThreads) == group_scans);
}
