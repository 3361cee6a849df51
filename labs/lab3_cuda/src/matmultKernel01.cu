// A-Q4: a block of 16 x 16 threads computes 32 x 32 elements of C, four per thread. Run: matmult01 B
#include "matmultKernel.h"

// BEGIN STUDENT
// FOOTPRINT_SIZE is 32 here, BLOCK_SIZE still 16. Start from matmultKernel00.cu.
// Step 1. Two tiles of 32 x 32 floats in shared memory; 256 threads fill them, four loads per thread and tile. The 32
//         threads of a warp have threadIdx.y = 2w and 2w + 1: let them load 32 neighbouring elements.
// Step 2. Four sums per thread: rows threadIdx.y and threadIdx.y + 16, columns threadIdx.x and threadIdx.x + 16. In each
//         turn of the inner loop read two elements of either tile and use each of them twice.
// Step 3. #pragma unroll in front of the inner loop.
// Step 4. Two threads of a warp that read different rows of a tile with 32 columns hit the same bank. What helps?
// Step 5. Store the four sums; 16 threads with neighbouring columns write 16 neighbouring elements.
__global__ void MatMulKernel(const Matrix A, const Matrix B, Matrix C) {
  (void)A;
  (void)B;
  (void)C;
}
// END STUDENT
