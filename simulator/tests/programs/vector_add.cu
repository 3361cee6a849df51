// A grid-stride loop is right for every launch shape.
#include "check.cuh"

__global__ void add(const float* x, const float* y, float* z, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    z[i] = x[i] + y[i];
  }
}

int main() {
  const int n = 1000;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 1024);
    y[i] = static_cast<float>(2 * (i % 1000));
  }
  float* dx = to_device(x);
  float* dy = to_device(y);
  const int shapes[4][2] = {{1, 1}, {1, 256}, {4, 256}, {7, 33}};
  for (const auto& shape : shapes) {
    float* dz = device_array<float>(n);
    add<<<shape[0], shape[1]>>>(dx, dy, dz, n);
    check_launch();
    const std::vector<float> z = to_host(dz, n);
    double sum = 0;
    for (float value : z) {
      sum += value;
    }
    printf("%d x %d: sum %.0f weighted %lld\n", shape[0], shape[1], sum, checksum(z));
    CHECK(cudaFree(dz));
  }
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
}
