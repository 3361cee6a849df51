// Pitched memory: 2D copies in all directions, 2D fill.
#include "check.cuh"

__global__ void add_row(int* p, size_t pitch, int width) {
  int* row = reinterpret_cast<int*>(reinterpret_cast<char*>(p) + blockIdx.x * pitch);
  if (static_cast<int>(threadIdx.x) < width) {
    row[threadIdx.x] += 1000 * static_cast<int>(blockIdx.x);
  }
}

int main() {
  const int width = 37, height = 5;
  std::vector<int> in(width * height);
  for (int i = 0; i < width * height; ++i) {
    in[i] = i;
  }
  int* p = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&p, &pitch, width * sizeof(int), height));
  printf("pitch is enough: %d\n", pitch >= width * sizeof(int) && pitch % sizeof(int) == 0);
  CHECK(cudaMemcpy2D(p, pitch, in.data(), width * sizeof(int), width * sizeof(int), height, cudaMemcpyHostToDevice));
  add_row<<<height, 64>>>(p, pitch, width);
  check_launch();
  std::vector<int> out(40 * height, -1);
  CHECK(cudaMemcpy2D(out.data(), 40 * sizeof(int), p, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost));
  printf("checksum %lld, gap %d\n", checksum(out), out[37]);
  CHECK(cudaMemset2D(p, pitch, 0x01, 3 * sizeof(int), 2));
  int* packed = device_array<int>(width * height);
  CHECK(cudaMemcpy2D(packed, width * sizeof(int), p, pitch, width * sizeof(int), height, cudaMemcpyDeviceToDevice));
  printf("checksum %lld\n", checksum(to_host(packed, width * height)));
  printf("%s\n", cudaGetErrorName(cudaMemcpy2D(packed, 4, p, pitch, 8, 2, cudaMemcpyDeviceToDevice)));
}
