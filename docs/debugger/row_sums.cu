// Sums the rows of a matrix, one block for each row. A barrier is missing: the debugger's tutorial finds where.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

constexpr int kThreads = 128;

__device__ float pair_sum(const float* values, int i, int distance) {
  float sum = values[i] + values[i + distance];
  return sum;
}

__global__ void row_sums(float* sums, const float* matrix) {
  __shared__ float part[kThreads];
  int i = threadIdx.x;
  part[i] = matrix[blockIdx.x * kThreads + i];
  for (int distance = kThreads / 2; distance > 0; distance /= 2) {
    if (i < distance) {
      part[i] = pair_sum(part, i, distance);
    }
  }
  if (i == 0) {
    sums[blockIdx.x] = part[0];
  }
}

int main() {
  constexpr int kRows = 4;
  std::vector<float> matrix(kRows * kThreads), sums(kRows);
  for (int i = 0; i < kRows * kThreads; ++i) {
    matrix[i] = static_cast<float>(i / kThreads + 1);
  }
  float *d_matrix, *d_sums;
  cudaMalloc(&d_matrix, matrix.size() * sizeof(float));
  cudaMalloc(&d_sums, sums.size() * sizeof(float));
  cudaMemcpy(d_matrix, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice);
  row_sums<<<kRows, kThreads>>>(d_sums, d_matrix);
  cudaMemcpy(sums.data(), d_sums, sums.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int row = 0; row < kRows; ++row) {
    printf("row %d: %g, should be %d\n", row, sums[row], (row + 1) * kThreads);
  }
  return 0;
}
