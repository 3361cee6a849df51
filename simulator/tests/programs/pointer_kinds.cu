// What the runtime knows about pointers, host memory made known to it, and ranges of managed memory.
// CHECK invalid_free
#include "check.cuh"

__global__ void add(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i] += i;
  }
}

__device__ int variable;

static void show(const char* what, const void* pointer) {
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, pointer));
  printf("%s: type %d, device %d, device pointer %s, host pointer %s\n", what, static_cast<int>(attributes.type),
         attributes.device, attributes.devicePointer == pointer ? "same" : "other",
         attributes.hostPointer == pointer ? "same" : attributes.hostPointer == nullptr ? "none" : "other");
}

int main() {
  const int n = 1024;
  int *device = device_array<int>(n), *pinned, *managed;
  CHECK(cudaHostAlloc(&pinned, n * sizeof(int), cudaHostAllocMapped));
  CHECK(cudaMallocManaged(&managed, n * sizeof(int)));
  void* symbol;
  CHECK(cudaGetSymbolAddress(&symbol, variable));
  std::vector<int> host(n, 1);
  show("device", device + 5);
  show("pinned", pinned);
  show("managed", managed);
  show("variable", symbol);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, host.data()));
  printf("plain: type %d\n", static_cast<int>(attributes.type));

  CHECK(cudaHostRegister(host.data(), n * sizeof(int), cudaHostRegisterDefault));
  show("registered", host.data());
  printf("twice: %s\n", cudaGetErrorName(cudaHostRegister(host.data(), n * sizeof(int), 0)));
  cudaGetLastError();
  int* seen;
  CHECK(cudaHostGetDevicePointer(&seen, host.data(), 0));
  add<<<4, 256>>>(seen, n);
  check_launch();
  printf("in place: %d %d\n", host[0], host[n - 1]);
  CHECK(cudaHostUnregister(host.data()));
  printf("not any more: %s\n", cudaGetErrorName(cudaHostUnregister(host.data())));
  printf("flags of plain memory: %s\n", cudaGetErrorName(cudaHostGetDevicePointer(&seen, host.data(), 0)));

  int read_mostly = -1;
  CHECK(cudaMemRangeGetAttribute(&read_mostly, sizeof(int), cudaMemRangeAttributeReadMostly, managed, n * sizeof(int)));
  printf("read mostly: %d\n", read_mostly);
  printf("attribute of device memory: %s\n",
         cudaGetErrorName(cudaMemRangeGetAttribute(&read_mostly, sizeof(int), cudaMemRangeAttributeReadMostly, device,
                                                   n * sizeof(int))));
  printf("wrong frees: %s %s %s\n", cudaGetErrorName(cudaFree(pinned)), cudaGetErrorName(cudaFreeHost(managed)),
         cudaGetErrorName(cudaFree(device + 1)));
  cudaGetLastError();
  CHECK(cudaFree(device));
  CHECK(cudaFree(managed));
  CHECK(cudaFreeHost(pinned));
}
