// Part C: the same convolution three times. conv.h has the formula and the layout of the arrays. Run: convolution
#include <cudnn.h>

#include "conv.h"

// BEGIN STUDENT
// C1. One thread per output element; neighbouring threads compute neighbouring x. No shared memory.
// Step 1. The kernel: x, y and k from blockIdx and threadIdx, three loops (c, j, i), a bounds check.
// Step 2. cudaMalloc and cudaMemcpy for I0, F and O. One launch to warm up, one between two events; wait for it.
// Step 3. Copy O back, free everything, return the milliseconds.
double conv_c1_ms(const double* I0, const double* F, double* O, ConvShape s) {
  (void)I0;
  (void)F;
  (void)O;
  (void)s;
  return 0;
}

// C2. As C1, but the threads of a block first copy the part of I0 they need to shared memory: the tile they compute and
// a rim of FW - 1 columns and FH - 1 rows, for one channel at a time. __syncthreads() when it is there, and again before
// it is overwritten. H and W need not be multiples of the tile.
double conv_c2_ms(const double* I0, const double* F, double* O, ConvShape s) {
  (void)I0;
  (void)F;
  (void)O;
  (void)s;
  return 0;
}

// C3. cuDNN. Descriptors: two tensors (NCHW, N = 1), a filter, a convolution with pad P in mode CUDNN_CONVOLUTION, all in
// CUDNN_DATA_DOUBLE. cudnnFindConvolutionForwardAlgorithm() tries the algorithms: take the first whose status is success.
// Ask for its workspace. Warm up; time one cudnnConvolutionForward(), nothing else.
double conv_c3_ms(const double* I, const double* F, double* O, ConvShape s) {
  (void)I;
  (void)F;
  (void)O;
  (void)s;
  return 0;
}
// END STUDENT
