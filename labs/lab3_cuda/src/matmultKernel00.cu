// Given, do not modify: the baseline. A block of 16 x 16 threads computes 16 x 16 elements of C, one per thread.
#include "matmultKernel.h"

__global__ void MatMulKernel(const Matrix A, const Matrix B, Matrix C) {
  __shared__ float tile_a[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float tile_b[BLOCK_SIZE][BLOCK_SIZE];
  const int column = threadIdx.x;
  const int row = threadIdx.y;
  // The first elements of the block's rows of A, of its columns of B, and of its part of C.
  const float* a = A.elements + A.stride * BLOCK_SIZE * blockIdx.y;
  const float* b = B.elements + BLOCK_SIZE * blockIdx.x;
  float* c = C.elements + C.stride * BLOCK_SIZE * blockIdx.y + BLOCK_SIZE * blockIdx.x;

  float sum = 0;
  for (int tile = 0; tile < A.width / BLOCK_SIZE; ++tile) {
    tile_a[row][column] = a[row * A.stride + column];
    tile_b[row][column] = b[row * B.stride + column];
    __syncthreads();  // the tiles are complete
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) {
      sum += tile_a[row][k] * tile_b[k][column];
    }
    __syncthreads();  // everybody has read them: they may be overwritten
    a += BLOCK_SIZE;
    b += BLOCK_SIZE * B.stride;
  }
  c[row * C.stride + column] = sum;
}
