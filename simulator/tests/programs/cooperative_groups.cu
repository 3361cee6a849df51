// Cooperative groups inside a block: the block, tiles, coalesced threads, a generic handle.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.cuh"

namespace cg = cooperative_groups;

__device__ int sum_in(cg::thread_group group, int* scratch, int value) {
  const unsigned int rank = group.thread_rank();
  for (unsigned int step = group.size() / 2; step > 0; step /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < step) {
      value += scratch[rank + step];
    }
    group.sync();
  }
  return value;
}

__global__ void groups(int* out) {
  __shared__ int scratch[64];
  const cg::thread_block block = cg::this_thread_block();
  const int rank = static_cast<int>(block.thread_rank());
  const int whole = sum_in(block, scratch, rank);
  auto tile = cg::tiled_partition<8>(block);
  int value = rank;
  for (int step = 4; step > 0; step /= 2) {
    value += tile.shfl_down(value, step);
  }
  const int reduced = cg::reduce(tile, rank, cg::plus<int>());
  int coalesced = 0;
  if (rank % 4 == 1) {
    const cg::coalesced_group active = cg::coalesced_threads();
    coalesced = static_cast<int>(active.size() * 100 + active.thread_rank() + 1000 * active.shfl(rank, 2));
  }
  block.sync();
  int* mine = out + rank * 8;
  mine[0] = whole;
  mine[1] = value;
  mine[2] = reduced;
  mine[3] = coalesced;
  mine[4] = static_cast<int>(tile.ballot(rank % 2) * 10 + tile.thread_rank() + 10000 * tile.meta_group_rank());
  mine[5] = cg::inclusive_scan(tile, rank);
  mine[6] = cg::exclusive_scan(tile, rank, cg::plus<int>());
  mine[7] = cg::inclusive_scan(tile, rank ^ 5, cg::greater<int>());
}

struct Best {
  float value;
  int index;
};

// Parts of a warp's groups by labels, structures between lanes, a tile whose parent its type does not name.
__global__ void parts(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int rank = static_cast<int>(warp.thread_rank());
  const cg::coalesced_group same = cg::labeled_partition(warp, rank % 3);
  const cg::coalesced_group odd = cg::binary_partition(warp, rank % 2 != 0);
  const int members = cg::reduce(same, 1, cg::plus<int>());
  const int greatest = cg::reduce(odd, rank, cg::greater<int>());
  Best best = {static_cast<float>(rank * 7 % 32), rank};
  for (int step = 16; step > 0; step /= 2) {
    const Best other = warp.shfl_xor(best, step);
    best = other.value > best.value ? other : best;
  }
  auto token = block.barrier_arrive();
  block.barrier_wait(static_cast<decltype(token)&&>(token));
  int* mine = out + rank * 4;
  mine[0] = members * 100 + static_cast<int>(same.thread_rank());
  mine[1] = static_cast<int>(same.meta_group_size()) * 10 + static_cast<int>(same.meta_group_rank());
  mine[2] = greatest * 100 + static_cast<int>(odd.size());
  mine[3] = best.index;
}

int main() {
  int* out = device_array<int>(512);
  groups<<<1, dim3(16, 4)>>>(out);
  check_launch();
  const std::vector<int> got = to_host(out, 512);
  const int ranks[4] = {0, 8, 41, 61};
  for (int rank : ranks) {
    const int* mine = &got[rank * 8];
    printf("%d: block %d tile %d reduce %d coalesced %d ballot %d scans %d %d %d\n", rank, rank == 0 ? mine[0] : 0,
           rank % 8 == 0 ? mine[1] : 0, mine[2], mine[3], mine[4], mine[5], mine[6], mine[7]);
  }
  int* shares = device_array<int>(128);
  parts<<<1, 32>>>(shares);
  check_launch();
  const std::vector<int> of = to_host(shares, 128);
  for (int rank : {0, 2, 31}) {
    printf("parts of %d: %d %d %d %d\n", rank, of[rank * 4], of[rank * 4 + 1], of[rank * 4 + 2], of[rank * 4 + 3]);
  }
}
