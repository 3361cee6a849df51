#pragma once
// Given, do not modify: the kernel that matmult.cu launches. C = A * B.
#include <cuda_runtime.h>

#define BLOCK_SIZE 16  // threads of a block in each direction
#ifndef FOOTPRINT_SIZE
#define FOOTPRINT_SIZE BLOCK_SIZE  // elements of C, in each direction, that one block computes
#endif

// Row-major: element (row, column) is elements[row * stride + column]. The stride counts elements, not bytes.
struct Matrix {
  int width;
  int height;
  int stride;
  float* elements;
};

__global__ void MatMulKernel(const Matrix A, const Matrix B, Matrix C);
