// A pipeline through the blocks of a cluster: each takes a value from its mailbox, adds its own and stores it in the
// mailbox of the next, whose mbarrier counts the bytes. Nobody waits at the cluster's barrier in between.
#include "cluster_launch.cuh"

namespace cg = cooperative_groups;

constexpr int kRounds = 12, kLanes = 32;

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ unsigned at_rank(unsigned address, unsigned rank) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  return there;
}
__device__ void expect(unsigned barrier, unsigned bytes) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(barrier),
               "r"(bytes)
               : "memory");
}
__device__ void store(unsigned place, int value, unsigned barrier) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(place), "r"(value),
               "r"(barrier)
               : "memory");
}
__device__ void wait_for(unsigned barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred done; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;"
      " @!done bra again; }" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

__global__ void pass_on(int* out) {
  __shared__ int mailbox[2][kLanes];
  __shared__ unsigned long long full[2];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), last = cluster.num_blocks() - 1;
  for (int i = 0; i < 2 && threadIdx.x == 0; ++i) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[i])) : "memory");
    expect(shared_address(&full[i]), sizeof mailbox[0]);
  }
  cluster.sync();
  int value = static_cast<int>(threadIdx.x);
  for (int round = 0; round < kRounds; ++round) {
    const int slot = round % 2;
    const unsigned barrier = shared_address(&full[slot]);
    if (rank > 0 || round > 0) {
      // The first block of a round gets what the last one of the round before has sent.
      const int arrived = rank > 0 ? round : round - 1;
      const unsigned mine = shared_address(&full[arrived % 2]);
      wait_for(mine, static_cast<unsigned>(arrived / 2 % 2));
      value = mailbox[arrived % 2][threadIdx.x];
      __syncwarp();
      if (threadIdx.x == 0 && arrived + 2 < kRounds) {
        expect(mine, sizeof mailbox[0]);  // before anybody can send for that round: they wait for this one's value
      }
      __syncwarp();
    }
    value += static_cast<int>(rank * 1000 + 1);
    const unsigned next = rank == last ? 0 : rank + 1;
    if (rank != last || round + 1 < kRounds) {
      store(at_rank(shared_address(&mailbox[slot][threadIdx.x]), next), value, at_rank(barrier, next));
    }
  }
  if (rank == last) {
    out[blockIdx.x / cluster.num_blocks() * kLanes + threadIdx.x] = value;
  }
  cluster.sync();
}

int main() {
  for (const unsigned size : {2u, 4u, 7u}) {
    constexpr unsigned kClusters = 5;
    int* out = device_array<int>(kClusters * kLanes);
    const ClusterLaunch launch(dim3(size * kClusters), dim3(kLanes), dim3(size));
    CHECK(cudaLaunchKernelEx(&launch.config, pass_on, out));
    check_launch();
    const int added = kRounds * static_cast<int>(size * (size - 1) / 2 * 1000 + size);
    bool right = true;
    const std::vector<int> got = to_host(out, kClusters * kLanes);
    for (size_t i = 0; i < got.size(); ++i) {
      right = right && got[i] == static_cast<int>(i % kLanes) + added;
    }
    printf("clusters of %u: %s\n", size, right ? "right" : "wrong");
  }
  return 0;
}
