#pragma once
// Given, do not modify: the convolutions of part C. O = F * I, in double precision.
//
// Memory, all row-major, x fastest: I[(c * H + y) * W + x], F[((k * C + c) * FH + j) * FW + i], O[(k * H + y) * W + x].
// I0 is I with a border of P zeros on each side: I0[(c * (H + 2P) + y) * (W + 2P) + x].
//
//   O[k,x,y] = sum over c, j < FH, i < FW of  F[k, c, FW - 1 - i, FH - 1 - j] * I0[c, x + i, y + j]
//
// Each function gets host memory, returns the milliseconds of the kernel alone, and does everything else itself:
// allocation, copies, a warm-up launch, synchronisation, clean-up.
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"

struct ConvShape {
  int C, H, W;   // channels, height, width of the input
  int K, FH, FW; // number, height, width of the filters
  int P;         // padding; 2P = FH - 1 = FW - 1, so that the output is as large as the input
};

double conv_c1_ms(const double* I0, const double* F, double* O, ConvShape s);  // straight from global memory
double conv_c2_ms(const double* I0, const double* F, double* O, ConvShape s);  // tiles in shared memory
double conv_c3_ms(const double* I, const double* F, double* O, ConvShape s);   // cuDNN; I without border
double conv_c4_ms(const double* I0, const double* F, double* O, ConvShape s);  // bonus: your own choice, convolution4.cu

// CUDNN_CHECK(cudnnCreate(&handle)); as CUDA_CHECK, for cuDNN's calls.
#define CUDNN_CHECK(call)                                                                                    \
  do {                                                                                                       \
    const cudnnStatus_t hpml_status_ = (call);                                                               \
    if (hpml_status_ != CUDNN_STATUS_SUCCESS) {                                                              \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudnnGetErrorString(hpml_status_));      \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
