// Launches with attributes, what a kernel tells about itself, and how many of its blocks fit.
#include "check.cuh"

__global__ void write(int* p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void with_shared(float* p) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
__global__ __launch_bounds__(256) void bounded(int* p) { *p = 1; }

int main() {
  int* p = device_array<int>(256);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2);
  config.blockDim = dim3(128);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, write, p, 42));
  printf("%d\n", to_host(p, 256)[255]);
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
  CHECK(cudaLaunchKernelEx(&config, write, p, 43));
  printf("%d\n", to_host(p, 256)[255]);
  attribute[0].val.clusterDim.x = 2;
  printf("clusters: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, write, p, 44)));
  cudaGetLastError();
  int value = 1;
  void* arguments[] = {&p, &value};
  printf("cooperative: %s\n", cudaGetErrorName(cudaLaunchCooperativeKernel(write, dim3(100000), dim3(128), arguments)));
  cudaGetLastError();

  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, with_shared));
  printf("static %zu, dynamic at most %d, carve-out %d\n", attributes.sharedSizeBytes,
         attributes.maxDynamicSharedSizeBytes, attributes.preferredShmemCarveout);
  CHECK(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 51200));
  CHECK(cudaFuncSetAttribute(with_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CHECK(cudaFuncGetAttributes(&attributes, with_shared));
  printf("dynamic at most %d, carve-out %d\n", attributes.maxDynamicSharedSizeBytes, attributes.preferredShmemCarveout);
  printf("carve-out of 101: %s\n", cudaGetErrorName(cudaFuncSetAttribute(
                                       with_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 101)));
  CHECK(cudaFuncGetAttributes(&attributes, bounded));
  printf("bounded: %d threads\n", attributes.maxThreadsPerBlock);
  bounded<<<1, 512>>>(p);
  printf("more: %s\n", cudaGetErrorName(cudaGetLastError()));

  int blocks = 0, grid = 0, block = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, write, 256, 0));
  printf("write: %d blocks of 256\n", blocks);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 128, 28000));
  printf("with_shared: %d blocks of 128 with 28000 more bytes\n", blocks);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, write));
  printf("best: %d blocks of %d\n", grid, block);
  size_t room = 0;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, write, 2, 128));
  printf("room: %zu bytes for each of 2 blocks\n", room);
  printf("no threads: %s\n", cudaGetErrorName(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, write, 0, 0)));
  cudaGetLastError();
  CHECK(cudaFree(p));
}
