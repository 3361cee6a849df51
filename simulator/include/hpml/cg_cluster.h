// cluster_group: the blocks of a thread block cluster. A launch without clusters has clusters of one block.
#pragma once

#include "cg_groups.h"
#include "device_cluster.h"

namespace cooperative_groups {

class cluster_group {
 public:
  struct arrival_token {};

  __device__ static void sync() {
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
  }
  __device__ static arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return {};
  }
  __device__ static void barrier_wait() { __cluster_barrier_wait(); }
  __device__ static void barrier_wait(arrival_token&&) { __cluster_barrier_wait(); }

  __device__ static unsigned int query_shared_rank(const void* __p) { return __cluster_query_shared_rank(__p); }
  template <class __T>
  __device__ static __T* map_shared_rank(__T* __p, int __rank) {
    return static_cast<__T*>(__cluster_map_shared_rank(__p, static_cast<unsigned int>(__rank)));
  }

  __device__ static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  __device__ static unsigned int block_rank() { return __clusterRelativeBlockRank(); }
  __device__ static dim3 dim_blocks() { return __clusterDim(); }
  __device__ static unsigned int num_blocks() { return __clusterSizeInBlocks(); }

  __device__ static dim3 thread_index() {
    const dim3 __b = block_index();
    return dim3(__b.x * blockDim.x + threadIdx.x, __b.y * blockDim.y + threadIdx.y, __b.z * blockDim.z + threadIdx.z);
  }
  __device__ static unsigned int thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  __device__ static dim3 dim_threads() {
    const dim3 __b = dim_blocks();
    return dim3(__b.x * blockDim.x, __b.y * blockDim.y, __b.z * blockDim.z);
  }
  __device__ static unsigned int num_threads() { return num_blocks() * thread_block::size(); }
  __device__ static unsigned int size() { return num_threads(); }
  __device__ static bool is_valid() { return true; }
};

__HPML_DEVICE__ cluster_group this_cluster() { return cluster_group(); }

}  // namespace cooperative_groups
