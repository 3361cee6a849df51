// W: Winograd's F(2x2, 3x3). Target: half of the multiplications of a direct kernel.
#include "extension.h"

// BEGIN STUDENT
const int kPoints = 16;  // of a 4 x 4 tile

// u = G g G^T with G = {1 0 0; 1/2 1/2 1/2; 1/2 -1/2 1/2; 0 0 1}; halves of sums, so that there are few multiplications.
__device__ void transform_filter_row(const float* g, int step, float* u, int u_step) {
  const float half = 0.5f * (g[0] + g[2 * step]);
  const float middle = 0.5f * g[step];
  u[0] = g[0];
  u[u_step] = half + middle;
  u[2 * u_step] = half - middle;
  u[3 * u_step] = g[2 * step];
}

__global__ void transform_filters(const float* filter, float* U, int count) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;  // k * C + c
  if (pair >= count) {
    return;
  }
  float rows[4][3], u[kPoints];
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    transform_filter_row(filter + pair * kTaps + i, 3, &rows[0][i], 3);
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    transform_filter_row(rows[j], 1, u + 4 * j, 1);
  }
#pragma unroll
  for (int i = 0; i < kPoints; ++i) {
    U[i * count + pair] = u[i];
  }
}

// One line of B^T d: {d0 - d2, d1 + d2, d2 - d1, d1 - d3}.
__device__ void transform_line(float* d, int step) {
  const float d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step];
  d[0] = d0 - d2;
  d[step] = d1 + d2;
  d[2 * step] = d2 - d1;
  d[3 * step] = d1 - d3;
}

// One thread per 2 x 2 outputs of one k.
__global__ void convolve_winograd(const float* image, const float* U, float* out, Convolution s) {
  const int tiles = s.W / 2;
  const int tile = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = blockIdx.y;
  const int y0 = tile / tiles * 2;
  const int x0 = tile % tiles * 2;
  float m[kPoints] = {};
  for (int c = 0; c < s.C; ++c) {
    float d[kPoints];
#pragma unroll
    for (int i = 0; i < kPoints; ++i) {
      const int y = y0 + i / 4 - 1;
      const int x = x0 + i % 4 - 1;
      d[i] = y >= 0 && y < s.H && x >= 0 && x < s.W ? image[(c * s.H + y) * s.W + x] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      transform_line(d + i, 4);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      transform_line(d + 4 * i, 1);
    }
#pragma unroll
    for (int i = 0; i < kPoints; ++i) {
      m[i] += d[i] * U[(i * s.K + k) * s.C + c];
    }
  }
  float line[2][4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    line[0][i] = m[i] + m[4 + i] + m[8 + i];
    line[1][i] = m[4 + i] - m[8 + i] - m[12 + i];
  }
#pragma unroll
  for (int j = 0; j < 2; ++j) {
    float* to = out + (k * s.H + y0 + j) * s.W + x0;
    to[0] = line[j][0] + line[j][1] + line[j][2];
    to[1] = line[j][1] - line[j][2] - line[j][3];
  }
}

void convolve(const float* image, const float* filter, float* out, float* scratch, Convolution s) {
  const int pairs = s.K * s.C;
  transform_filters<<<(pairs + 63) / 64, 64>>>(filter, scratch, pairs);
  convolve_winograd<<<dim3(s.H * s.W / 4 / 64, s.K), 64>>>(image, scratch, out, s);
}
// END STUDENT
// HPML-CANARY-5e0c71f3b8a94d26
