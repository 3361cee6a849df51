// M6: the next slab is loaded while this one is used. Target: one barrier per slab.
#include "extension.h"

// BEGIN STUDENT
const int kTile = 64;
const int kSlab = 16;
const int kEach = 4;
const int kSide = kTile / kEach;
const int kPitch = kTile + 2;  // rows k, k + 4, k + 8, k + 12 begin 8 banks apart

// 256 threads copy 64 x 16 elements of A, turned, and 16 x 64 of B: each of them four of both.
__device__ void fill(const float* A, const float* B, int n, int top, int left, int first, float (*a)[kPitch],
                     float (*b)[kTile]) {
  const int thread = threadIdx.y * kSide + threadIdx.x;
  const int row = thread / 4;
  const int k = thread % 4 * 4;
  const float4 four = *reinterpret_cast<const float4*>(&A[(top + row) * n + first + k]);
  a[k][row] = four.x;
  a[k + 1][row] = four.y;
  a[k + 2][row] = four.z;
  a[k + 3][row] = four.w;
  for (int y = thread / kTile; y < kSlab; y += kEach) {
    b[y][thread % kTile] = B[(first + y) * n + left + thread % kTile];
  }
}

__global__ void multiply_double_buffered(const float* A, const float* B, float* C, int n) {
  __shared__ float a[2][kSlab][kPitch];
  __shared__ float b[2][kSlab][kTile];
  const int left = blockIdx.x * kTile;
  const int top = blockIdx.y * kTile;
  float sum[kEach][kEach] = {};
  fill(A, B, n, top, left, 0, a[0], b[0]);
  __syncthreads();
  for (int slab = 0; slab < n / kSlab; ++slab) {
    const int now = slab % 2;
    if (slab + 1 < n / kSlab) {
      fill(A, B, n, top, left, (slab + 1) * kSlab, a[1 - now], b[1 - now]);
    }
    for (int k = 0; k < kSlab; ++k) {
      float row[kEach], column[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        row[i] = a[now][k][threadIdx.y * kEach + i];
        column[i] = b[now][k][threadIdx.x + i * kSide];
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
  multiply_double_buffered<<<dim3(n / kTile, n / kTile), dim3(kSide, kSide)>>>(A, B, C, n);
}
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
