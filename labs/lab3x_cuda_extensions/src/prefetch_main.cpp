// Given, do not modify. Run: prefetch N
#include <algorithm>

#include "extension.h"

int main(int argc, char** argv) {
  const int n = size_argument(argc, argv, 64);
  const std::vector<float> data = make_data(static_cast<size_t>(n), 0);
  float* x = NULL;
  CUDA_CHECK(cudaMallocManaged(&x, data.size() * sizeof(float)));
  std::copy(data.begin(), data.end(), x);
  update_managed(x, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  hand_over(x, data.size());
  return 0;
}
