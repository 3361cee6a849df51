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

// ---- wide loads and stores ----
// Sixteen bytes in one instruction, of global or of shared memory, and eight. The address must be a multiple of 16 (8).
// Written in PTX, because a compiler that cannot prove the alignment splits a copy of an int4 in two or four
// instructions, and each of them touches the sectors again.
struct Sixteen {
  uint32_t word[4];
};

__device__ inline Sixteen load16(const void* from) {
  Sixteen s;
  asm volatile("ld.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(s.word[0]), "=r"(s.word[1]), "=r"(s.word[2]), "=r"(s.word[3])
               : "l"(from)
               : "memory");
  return s;
}
__device__ inline void store16(void* to, const Sixteen& s) {
  asm volatile("st.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(s.word[0]), "r"(s.word[1]), "r"(s.word[2]),
               "r"(s.word[3])
               : "memory");
}
__device__ inline void store8(void* to, uint32_t low, uint32_t high) {
  asm volatile("st.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(low), "r"(high) : "memory");
}
