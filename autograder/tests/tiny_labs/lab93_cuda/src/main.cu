#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

void twice(const float* x, float* y, int n);

int main(int, char** argv) {
  const int n = std::atoi(argv[1]);
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i);
  }
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(float));
  twice(in, out, n);
  cudaMemcpy(x.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (const float value : x) {
    std::printf("%g ", value);
  }
}
