// Kernels use memory of the host where it is: pinned, registered, and managed memory that stays there or is read mostly.
// What one side writes the other sees.
#include <string.h>

#include "check.cuh"

constexpr int kCount = 1 << 18;
constexpr size_t kBytes = kCount * sizeof(int);

__global__ void twice(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}

static void report(const char* name, int* in, int* out) {
  for (int i = 0; i < kCount; ++i) {
    in[i] = i % 1000;
    out[i] = 0;
  }
  twice<<<kCount / 256, 256>>>(in, out);
  check_launch();
  long long sum = 0;
  for (int i = 0; i < kCount; ++i) {
    sum += out[i];
    in[i] = 1;
  }
  twice<<<kCount / 256, 256>>>(in, out);
  check_launch();
  printf("%-24s sum %lld, then %d\n", name, sum, out[kCount - 1]);
}

int main() {
  int* pinned = nullptr;
  CHECK(cudaHostAlloc(&pinned, 2 * kBytes, cudaHostAllocMapped));
  report("pinned", pinned, pinned + kCount);

  int* own = static_cast<int*>(malloc(2 * kBytes));
  memset(own, 0, 2 * kBytes);
  CHECK(cudaHostRegister(own, 2 * kBytes, cudaHostRegisterMapped));
  report("registered", own, own + kCount);
  CHECK(cudaHostUnregister(own));
  free(own);

  int* managed = nullptr;
  CHECK(cudaMallocManaged(&managed, 2 * kBytes));
  CHECK(cudaMemAdvise(managed, 2 * kBytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
  CHECK(cudaMemAdvise(managed, 2 * kBytes, cudaMemAdviseSetAccessedBy, 0));
  report("managed, stays", managed, managed + kCount);
  CHECK(cudaMemAdvise(managed, 2 * kBytes, cudaMemAdviseUnsetAccessedBy, 0));
  CHECK(cudaMemAdvise(managed, 2 * kBytes, cudaMemAdviseUnsetPreferredLocation, cudaCpuDeviceId));
  CHECK(cudaMemAdvise(managed, kBytes, cudaMemAdviseSetReadMostly, 0));
  report("managed, read mostly", managed, managed + kCount);
  report("managed, again", managed, managed + kCount);
  CHECK(cudaFree(managed));
  CHECK(cudaFreeHost(pinned));
}
