// I: the convolution as a matrix product. Target: a quarter of the sectors that a direct kernel loads.
#include "extension.h"

// BEGIN STUDENT
const int kTile = 16;

// columns[c * 9 + j * 3 + i][y * W + x] = image[c][y + j - 1][x + i - 1], 0 outside.
__global__ void unfold(const float* image, float* columns, Convolution s) {
  const int pixels = s.H * s.W;
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  const int c = row / kTaps;
  const int y = at / s.W + row % kTaps / 3 - 1;
  const int x = at % s.W + row % 3 - 1;
  const bool inside = y >= 0 && y < s.H && x >= 0 && x < s.W;
  columns[row * pixels + at] = inside ? image[c * pixels + y * s.W + x] : 0.0f;
}

// out (K x pixels) = filter (K x depth) * columns (depth x pixels), with tiles as in M2.
__global__ void multiply_tiled(const float* filter, const float* columns, float* out, int K, int depth, int pixels) {
  __shared__ float a[kTile][kTile];
  __shared__ float b[kTile][kTile];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int first = 0; first < depth; first += kTile) {
    const int k = first + threadIdx.x;
    const int row = first + threadIdx.y;
    a[threadIdx.y][threadIdx.x] = y < K && k < depth ? filter[y * depth + k] : 0.0f;
    b[threadIdx.y][threadIdx.x] = row < depth ? columns[row * pixels + x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      sum += a[threadIdx.y][i] * b[i][threadIdx.x];
    }
    __syncthreads();
  }
  if (y < K) {
    out[y * pixels + x] = sum;
  }
}

void convolve(const float* image, const float* filter, float* out, float* scratch, Convolution s) {
  const int pixels = s.H * s.W;
  unfold<<<dim3(pixels / 256, s.C * kTaps), 256>>>(image, scratch, s);
  multiply_tiled<<<dim3(pixels / kTile, (s.K + kTile - 1) / kTile), dim3(kTile, kTile)>>>(filter, scratch, out, s.K,
                                                                                         s.C * kTaps, pixels);
}
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
