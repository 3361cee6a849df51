// M3: 4 x 4 elements of C per thread, in registers. Target: half a shared load per multiply-add.
#include "extension.h"

// BEGIN STUDENT
const int kTile = 64;   // elements of C per block, in each direction
const int kSlab = 16;   // of k at a time
const int kEach = 4;    // elements of C per thread, in each direction
const int kSide = kTile / kEach;

__global__ void multiply_registers(const float* A, const float* B, float* C, int n) {
  __shared__ float a[kTile][kSlab];
  __shared__ float b[kSlab][kTile];
  const int thread = threadIdx.y * kSide + threadIdx.x;
  const int left = blockIdx.x * kTile;
  const int top = blockIdx.y * kTile;
  float sum[kEach][kEach] = {};
  for (int first = 0; first < n; first += kSlab) {
    for (int i = thread; i < kTile * kSlab; i += kSide * kSide) {
      a[i / kSlab][i % kSlab] = A[(top + i / kSlab) * n + first + i % kSlab];
      b[i / kTile][i % kTile] = B[(first + i / kTile) * n + left + i % kTile];
    }
    __syncthreads();
    for (int k = 0; k < kSlab; ++k) {
      float row[kEach], column[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        row[i] = a[threadIdx.y * kEach + i][k];
        column[i] = b[k][threadIdx.x + i * kSide];
      }
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
          sum[i][j] += row[i] * column[j];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      C[(top + threadIdx.y * kEach + i) * n + left + threadIdx.x + j * kSide] = sum[i][j];
    }
  }
}

void multiply(const float* A, const float* B, float* C, int n) {
  multiply_registers<<<dim3(n / kTile, n / kTile), dim3(kSide, kSide)>>>(A, B, C, n);
}
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
