// Two devices: streams and memory of each, copies between them, kernels that use the other's memory.
// CHECK invalid_global_read
#include "check.cuh"

__global__ void add(const int* from, int* to, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    to[i] += from[i];
  }
}

int main() {
  const int n = 32;
  int count = 0, can = 0;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
  printf("%d devices, access possible: %d\n", count, can);
  std::vector<int> host(n, 7);
  int *here, *there, *managed;
  CHECK(cudaSetDevice(0));
  here = to_device(host);
  CHECK(cudaMallocManaged(&managed, n * sizeof(int)));
  CHECK(cudaSetDevice(1));
  there = device_array<int>(n);
  CHECK(cudaMemcpyPeer(there, 1, here, 0, n * sizeof(int)));
  printf("copied: %d\n", to_host(there, n)[n - 1]);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, here));
  printf("its device: %d\n", attributes.device);
  for (int i = 0; i < n; ++i) {
    managed[i] = i;
  }
  add<<<1, n>>>(managed, there, n);  // managed memory of device 0, on device 1
  check_launch();
  printf("with managed memory: %d\n", to_host(there, n)[n - 1]);

  printf("itself: %s\n", cudaGetErrorName(cudaDeviceEnablePeerAccess(1, 0)));
  printf("not enabled: %s\n", cudaGetErrorName(cudaDeviceDisablePeerAccess(0)));
  CHECK(cudaDeviceEnablePeerAccess(0, 0));
  printf("twice: %s\n", cudaGetErrorName(cudaDeviceEnablePeerAccess(0, 0)));
  cudaGetLastError();
  add<<<1, n>>>(here, there, n);
  check_launch();
  printf("with the other's memory: %d\n", to_host(there, n)[n - 1]);

  cudaStream_t stream;
  cudaEvent_t done;
  CHECK(cudaStreamCreate(&stream));  // of device 1
  CHECK(cudaSetDevice(0));
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  add<<<1, n, 0, stream>>>(here, here, n);
  printf("a stream of another device: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("its event: %s\n", cudaGetErrorName(cudaEventRecord(done, stream)));
  cudaGetLastError();
  add<<<1, n>>>(here, here, n);
  CHECK(cudaEventRecord(done, 0));
  CHECK(cudaStreamWaitEvent(stream, done, 0));
  CHECK(cudaMemcpyAsync(host.data(), here, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("after the other device: %d\n", host[0]);
  add<<<1, n>>>(there, here, n);  // device 0 was never given access
  printf("without access: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  CHECK(cudaSetDevice(1));
  CHECK(cudaDeviceSynchronize());  // the other device is well
}
