// Fills and copies of odd sizes and offsets, device to device, and the kind that the addresses decide.
// CHECK invalid_free
#include "check.cuh"

int main() {
  unsigned char* p = device_array<unsigned char>(1000);
  CHECK(cudaMemset(p, 0xab, 1000));
  CHECK(cudaMemset(p + 3, 5, 7));
  CHECK(cudaMemsetAsync(p + 500, 1, 499));
  std::vector<unsigned char> host = to_host(p, 1000);
  printf("%d %d %d %d %d %d\n", host[2], host[3], host[9], host[10], host[998], host[999]);
  unsigned char* q = device_array<unsigned char>(1000);
  CHECK(cudaMemcpy(q + 1, p + 2, 9, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(q + 20, host.data() + 500, 30, cudaMemcpyDefault));
  CHECK(cudaMemcpy(host.data(), q, 1000, cudaMemcpyDefault));
  printf("checksum %lld\n", checksum(host));
  CHECK(cudaMemcpy(q, p, 0, cudaMemcpyDeviceToDevice));
  size_t free_bytes = 0, total_bytes = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  printf("some memory is free: %d\n", free_bytes > 0 && free_bytes < total_bytes);
  void* nothing = p;
  CHECK(cudaMalloc(&nothing, 0));
  CHECK(cudaFree(nullptr));
  printf("%s\n", cudaGetErrorName(cudaFree(&host)));
  printf("%s\n", cudaGetErrorName(cudaMalloc(&nothing, static_cast<size_t>(1) << 60)));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(q, p, 1, static_cast<cudaMemcpyKind>(9))));
}
