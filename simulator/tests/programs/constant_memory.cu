// Constant memory: an initialised table, one written by the host, one element replaced at an offset.
#include "check.cuh"

__constant__ int squares[4] = {0, 1, 4, 9};
__constant__ float coefficients[4];

__global__ void polynomial(float* out) {
  const float x = static_cast<float>(threadIdx.x);
  float y = coefficients[3];
  for (int k = 2; k >= 0; --k) {
    y = y * x + coefficients[k];
  }
  out[threadIdx.x] = y + squares[threadIdx.x % 4];
}

int main() {
  const float host[4] = {1, 2, 3, 4};
  CHECK(cudaMemcpyToSymbol(coefficients, host, sizeof host));
  float* out = device_array<float>(40);
  polynomial<<<1, 40>>>(out);
  check_launch();
  printf("checksum %lld\n", checksum(to_host(out, 40)));
  const float five = 5;
  CHECK(cudaMemcpyToSymbol(coefficients, &five, sizeof five, 2 * sizeof(float)));
  polynomial<<<1, 40>>>(out);
  check_launch();
  printf("checksum %lld\n", checksum(to_host(out, 40)));
}
