// The block's cluster: places, barrier, shared memory of its other blocks (CUDA C++ Programming Guide, "Thread Block
// Clusters", "Distributed Shared Memory").
#pragma once

#include "device_sync.h"

#define __HPML_CLUSTER_DIM3__(__name, __register)                                     \
  __HPML_DEVICE__ dim3 __name() {                                                     \
    unsigned int __x, __y, __z;                                                       \
    asm("mov.u32 %0, %%" __register ".x;" : "=r"(__x));                               \
    asm("mov.u32 %0, %%" __register ".y;" : "=r"(__y));                               \
    asm("mov.u32 %0, %%" __register ".z;" : "=r"(__z));                               \
    return dim3(__x, __y, __z);                                                       \
  }
__HPML_CLUSTER_DIM3__(__clusterDim, "cluster_nctaid")
__HPML_CLUSTER_DIM3__(__clusterRelativeBlockIdx, "cluster_ctaid")
__HPML_CLUSTER_DIM3__(__clusterGridDimInClusters, "nclusterid")
__HPML_CLUSTER_DIM3__(__clusterIdx, "clusterid")
#undef __HPML_CLUSTER_DIM3__

__HPML_DEVICE__ unsigned int __clusterRelativeBlockRank() {
  unsigned int __r;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(__r));
  return __r;
}
__HPML_DEVICE__ unsigned int __clusterSizeInBlocks() {
  unsigned int __n;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(__n));
  return __n;
}
__HPML_DEVICE__ bool __clusterDimIsSpecified() {
  unsigned int __is;
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(__is));
  return __is != 0;
}

__HPML_DEVICE__ void __cluster_barrier_arrive() { asm volatile("barrier.cluster.arrive;" ::: "memory"); }
__HPML_DEVICE__ void __cluster_barrier_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
}
__HPML_DEVICE__ void __cluster_barrier_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
__HPML_DEVICE__ void __threadfence_cluster() { asm volatile("fence.acq_rel.cluster;" ::: "memory"); }

__HPML_DEVICE__ void* __cluster_map_shared_rank(const void* __p, unsigned int __rank) {
  void* __there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(__there) : "l"(__p), "r"(__rank));
  return __there;
}
__HPML_DEVICE__ unsigned int __cluster_query_shared_rank(const void* __p) {
  unsigned int __rank;
  asm("getctarank.u64 %0, %1;" : "=r"(__rank) : "l"(__p));
  return __rank;
}

// Programmatic dependent launches: the next kernel may start early, and waits here for the memory of the one before.
__HPML_DEVICE__ void cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
__HPML_DEVICE__ void cudaGridDependencySynchronize() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
