#pragma once
// E8: int8 matrix products on the GPU. Given, do not modify.
#include "device.h"

// C [m x n] = A [m x k] * B [k x n]. A is row-major; B is given as its transpose, n rows of k. All sizes are multiples
// of 64, all pointers are pointers to the GPU's memory.
struct Gemm {
  int m, n, k;
};

// From int32 to int8: y = clamp(((acc * multiplier + 2^(shift - 1)) >> shift) + zero, -128, 127), in int64, with an
// arithmetic shift (one rounding, ties upward).
struct Requant {
  int32_t multiplier;
  int shift;
  int32_t zero;
};

// You write both, in each of the two files. They start a kernel and return NULL, or they start none and return one
// sentence: what this GPU lacks, and the compute capability that has it.
const char* qgemm(const int8_t* a, const int8_t* bt, int32_t* c, Gemm shape);
const char* qgemm_fused(const int8_t* a, const int8_t* bt, int8_t* c, Gemm shape, Requant scale);
