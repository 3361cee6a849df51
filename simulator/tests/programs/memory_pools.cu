// Stream-ordered allocation: pools, their attributes, and which pointers may be freed how.
#include "check.cuh"

__global__ void fill(int* p, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i] = value + i;
  }
}

static unsigned long long attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  unsigned long long value = 0;
  CHECK(cudaMemPoolGetAttribute(pool, which, &value));
  return value;
}

int main() {
  int supported = 0;
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  printf("supported: %d\n", supported);
  cudaMemPool_t pool;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long keep = ~0ull;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const int n = 1000;
  int* p = nullptr;
  CHECK(cudaMallocAsync(&p, n * sizeof(int), stream));
  fill<<<4, 256, 0, stream>>>(p, 5, n);
  std::vector<int> host(n);
  CHECK(cudaMemcpyAsync(host.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("last %d, used %llu\n", host.back(), attribute(pool, cudaMemPoolAttrUsedMemCurrent));
  CHECK(cudaFreeAsync(p, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("freed: used %llu, high %llu, kept: %d\n", attribute(pool, cudaMemPoolAttrUsedMemCurrent),
         attribute(pool, cudaMemPoolAttrUsedMemHigh), attribute(pool, cudaMemPoolAttrReservedMemCurrent) > 0);
  CHECK(cudaMemPoolTrimTo(pool, 0));
  printf("trimmed: %llu\n", attribute(pool, cudaMemPoolAttrReservedMemCurrent));
  printf("twice: %s\n", cudaGetErrorName(cudaFreeAsync(p, stream)));
  int* plain = device_array<int>(4);
  printf("not from a pool: %s\n", cudaGetErrorName(cudaFreeAsync(plain, stream)));
  CHECK(cudaMallocAsync(&p, 64, stream));
  CHECK(cudaFree(p));  // waits for the device, and is allowed
  CHECK(cudaDeviceSynchronize());
  printf("freed at once: used %llu\n", attribute(pool, cudaMemPoolAttrUsedMemCurrent));

  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t mine;
  CHECK(cudaMemPoolCreate(&mine, &properties));
  CHECK(cudaMallocFromPoolAsync(&p, 256, mine, stream));
  printf("mine: %llu\n", attribute(mine, cudaMemPoolAttrUsedMemCurrent));
  CHECK(cudaFreeAsync(p, stream));
  CHECK(cudaMemPoolDestroy(mine));
  printf("default pool: %s\n", cudaGetErrorName(cudaMemPoolDestroy(pool)));
  cudaGetLastError();
}
