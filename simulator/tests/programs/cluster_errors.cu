// Which clusters a launch may have, what the calls that plan one say, and what becomes of accesses outside a cluster.
#include "cluster_launch.cuh"

namespace cg = cooperative_groups;

__global__ void nothing(int* p) {
  if (p != nullptr && threadIdx.x == 0) {
    *p = static_cast<int>(cg::this_cluster().num_blocks());
  }
}
__global__ void __cluster_dims__(2, 1, 1) pairs(int* p) {
  if (threadIdx.x == 0) {
    atomicAdd(p, static_cast<int>(cg::this_cluster().block_rank()) + 1);
  }
}
__global__ void read_rank(int* p, int rank) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  mine = static_cast<int>(cluster.block_rank());
  cluster.sync();
  *p = *cluster.map_shared_rank(&mine, rank);
  cluster.sync();
}

void attempt(const char* what, dim3 grid, dim3 cluster) {
  const ClusterLaunch launch(grid, dim3(64), cluster);
  const cudaError_t error = cudaLaunchKernelEx(&launch.config, nothing, static_cast<int*>(nullptr));
  printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

void plan(const char* what, dim3 cluster, size_t shared) {
  const ClusterLaunch launch(dim3(16), dim3(256), cluster, shared);
  int clusters = -1, largest = -1;
  const cudaError_t error = cudaOccupancyMaxActiveClusters(&clusters, nothing, &launch.config);
  cudaGetLastError();
  CHECK(cudaOccupancyMaxPotentialClusterSize(&largest, nothing, &launch.config));
  printf("%s: %s, %d clusters, at most %d blocks\n", what, cudaGetErrorName(error), clusters, largest);
}

int main() {
  int supported = 0;
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrClusterLaunch, 0));
  printf("clusters: %d\n", supported);
  attempt("grid 6 in clusters of 4", dim3(6), dim3(4));
  attempt("grid 8 x 3 in clusters of 4 x 2", dim3(8, 3), dim3(4, 2));
  attempt("grid 8 x 6 in clusters of 4 x 2", dim3(8, 6), dim3(4, 2));
  attempt("16 blocks", dim3(32), dim3(16));
  plan("two blocks", dim3(2), 0);
  CHECK(cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  attempt("16 blocks, allowed", dim3(32), dim3(16));
  attempt("18 blocks, allowed", dim3(36), dim3(18));
  CHECK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
  plan("16 blocks with 200 KiB", dim3(16), 200 * 1024);

  CHECK(cudaFuncSetAttribute(nothing, cudaFuncAttributeRequiredClusterWidth, 4));
  CHECK(cudaFuncSetAttribute(nothing, cudaFuncAttributeRequiredClusterHeight, 1));
  CHECK(cudaFuncSetAttribute(nothing, cudaFuncAttributeRequiredClusterDepth, 1));
  int* p = device_array<int>(1);
  nothing<<<8, 32>>>(p);
  check_launch();
  printf("required by attribute: %d\n", to_host(p, 1)[0]);
  nothing<<<6, 32>>>(p);
  printf("grid 6: %s\n", cudaGetErrorName(cudaGetLastError()));

  CHECK(cudaMemset(p, 0, sizeof(int)));
  pairs<<<6, 32>>>(p);
  check_launch();
  printf("pairs: %d\n", to_host(p, 1)[0]);
  pairs<<<5, 32>>>(p);
  printf("pairs of 5: %s\n", cudaGetErrorName(cudaGetLastError()));
  const ClusterLaunch other(dim3(8), dim3(32), dim3(4));
  printf("pairs in fours: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&other.config, pairs, p)));
  printf("width of pairs: %s\n",
         cudaGetErrorName(cudaFuncSetAttribute(pairs, cudaFuncAttributeRequiredClusterWidth, 4)));
  cudaGetLastError();

  const ClusterLaunch two(dim3(2), dim3(1), dim3(2));
  CHECK(cudaLaunchKernelEx(&two.config, read_rank, p, 1));
  check_launch();
  printf("rank 1 of 2: %d\n", to_host(p, 1)[0]);
  CHECK(cudaLaunchKernelEx(&two.config, read_rank, p, 2));  // CHECK invalid_shared_read
  printf("rank 2 of 2: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
