// A-Q4: 16 x 16 threads, 32 x 32 elements of C, four per thread.
#include "matmultKernel.h"

// BEGIN STUDENT
namespace {

// Rows 36 floats apart: the two rows that a warp reads lie in different banks, and each row starts at a multiple of 16
// bytes, so that four neighbours can come with one load.
const int kPitch = FOOTPRINT_SIZE;
const int kThreads = BLOCK_SIZE * BLOCK_SIZE;

// A warp copies one row of 32 floats per turn: 4 sectors, and 32 different banks.
__device__ void load_tile(float (*tile)[kPitch], const float* from, int stride) {
  const int thread = threadIdx.y * BLOCK_SIZE + threadIdx.x;
  const int column = thread % FOOTPRINT_SIZE;
#pragma unroll
  for (int row = thread / FOOTPRINT_SIZE; row < FOOTPRINT_SIZE; row += kThreads / FOOTPRINT_SIZE) {
    tile[row][column] = from[row * stride + column];
  }
}

}  // namespace

__global__ void MatMulKernel(const Matrix A, const Matrix B, Matrix C) {
  __shared__ __align__(16) float tile_a[FOOTPRINT_SIZE][kPitch];
  __shared__ __align__(16) float tile_b[FOOTPRINT_SIZE][kPitch];
  const int column = threadIdx.x;
  const int row = threadIdx.y;
  const float* a = A.elements + A.stride * FOOTPRINT_SIZE * blockIdx.y;
  const float* b = B.elements + FOOTPRINT_SIZE * blockIdx.x;
  float* c = C.elements + C.stride * FOOTPRINT_SIZE * blockIdx.y + FOOTPRINT_SIZE * blockIdx.x;

  float sum[2][2] = {{0, 0}, {0, 0}};
  for (int tile = 0; tile < A.width / FOOTPRINT_SIZE; ++tile) {
    load_tile(tile_a, a, A.stride);
    load_tile(tile_b, b, B.stride);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < FOOTPRINT_SIZE; ++k) {
      const float top = tile_a[row][k];
      const float bottom = tile_a[row + BLOCK_SIZE][k];
      const float left = tile_b[k][column];
      const float right = tile_b[k][column + BLOCK_SIZE];
      sum[0][0] += top * left;
      sum[0][1] += top * right;
      sum[1][0] += bottom * left;
      sum[1][1] += bottom * right;
    }
    __syncthreads();
    a += FOOTPRINT_SIZE;
    b += FOOTPRINT_SIZE * B.stride;
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      c[(row + i * BLOCK_SIZE) * C.stride + column + j * BLOCK_SIZE] = sum[i][j];
    }
  }
}
// END STUDENT
