#include "matmultKernel.h"

__device__ void load_packed(unsigned (*tile)[FOOTPRINT_SIZE + 1], const float* from, int along, int across) {
  for (int at = threadIdx.y * BLOCK_SIZE + threadIdx.x; at < FOOTPRINT_SIZE * FOOTPRINT_SIZE / 4; at += BLOCK_SIZE * BLOCK_SIZE) {
    const int line = at % FOOTPRINT_SIZE;
    const int word = at / FOOTPRINT_SIZE;
    unsigned packed = 0;
    for (int i = 0; i < 4; ++i) {
      packed |= static_cast<unsigned>(from[line * across + (4 * word + i) * along]) << 8 * i;
    }
    tile[word][line] = packed;
  }
}

__global__ void MatMulKernel(const Matrix A, const Matrix B, Matrix C) {
  __shared__ unsigned tile_a[FOOTPRINT_SIZE / 4][FOOTPRINT_SIZE + 1];
  __shared__ unsigned tile_b[FOOTPRINT_SIZE / 4][FOOTPRINT_SIZE + 1];
  const int first_row = blockIdx.y * FOOTPRINT_SIZE;
  const int first_column = blockIdx.x * FOOTPRINT_SIZE;
  float sum[4] = {};
  for (int first = 0; first < A.width; first += FOOTPRINT_SIZE) {
    load_packed(tile_a, A.elements + first_row * A.stride + first, 1, A.stride);
    load_packed(tile_b, B.elements + first * B.stride + first_column, B.stride, 1);
    __syncthreads();
    for (int one = 0; one < 4; ++one) {
      for (int word = 0; word < FOOTPRINT_SIZE / 4; ++word) {
        const unsigned a = tile_a[word][threadIdx.y + one / 2 * BLOCK_SIZE];
        const unsigned b = tile_b[word][threadIdx.x + one % 2 * BLOCK_SIZE];
        for (int i = 0; i < 4; ++i) {
          sum[one] += static_cast<float>(a >> 8 * i & 255) * static_cast<float>(b >> 8 * i & 255);
        }
      }
    }
    __syncthreads();
  }
  for (int one = 0; one < 4; ++one) {
    const int row = first_row + threadIdx.y + one / 2 * BLOCK_SIZE;
    C.elements[row * C.stride + first_column + threadIdx.x + one % 2 * BLOCK_SIZE] = sum[one];
  }
}
