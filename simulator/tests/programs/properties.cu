// Device properties, attributes and kernel attributes agree with each other.
#include <string.h>

#include "check.cuh"

__global__ void kernel(float* p) {
  __shared__ float tile[100];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[99 - threadIdx.x];
}

int attribute(cudaDeviceAttr which) {
  int value = -1;
  CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  int count = 0, device = -1, runtime = 0;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaGetDevice(&device));
  CHECK(cudaRuntimeGetVersion(&runtime));
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  printf("device %d of at least one: %d\n", device, count >= 1);
  printf("a name: %d\n", strlen(prop.name) > 0);
  printf("warp %d, threads %d, grid y %d\n", prop.warpSize, prop.maxThreadsPerBlock, prop.maxGridSize[1]);
  printf("agree: %d %d %d %d %d\n", prop.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount),
         prop.major == attribute(cudaDevAttrComputeCapabilityMajor),
         prop.l2CacheSize == attribute(cudaDevAttrL2CacheSize),
         prop.maxThreadsPerMultiProcessor == attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
         static_cast<int>(prop.sharedMemPerBlock) == attribute(cudaDevAttrMaxSharedMemoryPerBlock));
  printf("largest textures agree: %d %d %d\n", prop.maxTexture1D == attribute(cudaDevAttrMaxTexture1DWidth),
         prop.maxTexture2D[1] == attribute(cudaDevAttrMaxTexture2DHeight) && prop.maxTexture2D[1] > 0,
         prop.maxTexture3D[2] == attribute(cudaDevAttrMaxTexture3DDepth) && prop.maxTexture3D[2] > 0);
  printf("runtime as compiled: %d\n", runtime / 1000 == CUDART_VERSION / 1000);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  printf("static shared %d, registers counted: %d\n", static_cast<int>(attributes.sharedSizeBytes),
         attributes.numRegs > 0 && attributes.numRegs <= 255);
  int blocks = 0, grid = 0, block = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  printf("blocks fit: %d, block size sensible: %d\n", blocks > 0 && blocks * 128 <= prop.maxThreadsPerMultiProcessor,
         block % 32 == 0 && block > 0 && grid % prop.multiProcessorCount == 0);
}
