// Pinned host memory: asynchronous copies, and mapped memory that a kernel reads and writes.
#include "check.cuh"

__global__ void twice(int* p) { p[threadIdx.x] *= 2; }

static int registered[4096];

int main() {
  int* host = nullptr;
  CHECK(cudaMallocHost(&host, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) {
    host[i] = i;
  }
  int* device = device_array<int>(64);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMemcpyAsync(device, host, 64 * sizeof(int), cudaMemcpyHostToDevice, stream));
  twice<<<1, 64, 0, stream>>>(device);
  CHECK(cudaMemcpyAsync(host, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("%d %d\n", host[1], host[63]);
  int* mapped = nullptr;
  CHECK(cudaHostAlloc(&mapped, 64 * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < 64; ++i) {
    mapped[i] = 100 + i;
  }
  int* view = nullptr;
  CHECK(cudaHostGetDevicePointer(&view, mapped, 0));
  twice<<<1, 64>>>(view);
  check_launch();
  printf("%d %d\n", mapped[0], mapped[63]);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, mapped));
  printf("host memory: %d\n", attributes.type == cudaMemoryTypeHost);
  int* combined = nullptr;
  CHECK(cudaHostAlloc(&combined, 64, cudaHostAllocWriteCombined));
  CHECK(cudaHostRegister(registered, sizeof(registered), cudaHostRegisterPortable));
  for (void* pointer : {static_cast<void*>(host), static_cast<void*>(combined), static_cast<void*>(registered)}) {
    unsigned flags = 0;
    CHECK(cudaHostGetFlags(&flags, pointer));
    printf("flags %u\n", flags | cudaHostAllocMapped);
  }
  CHECK(cudaHostUnregister(registered));
  CHECK(cudaFreeHost(combined));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(mapped));
}
