#pragma once
// E8, tensor cores. Given, do not modify: one matrix product of a warp, and which lane holds which numbers
// (PTX ISA, "Matrix Fragments for mma.m8n8k16" and "... mma.m16n8k32", .s8). TENSOR_SM is the compute capability that
// the program is compiled for: m8n8k16 exists from 7.5, m16n8k32 from 8.0.
#include <stdint.h>

#ifndef TENSOR_SM
#define TENSOR_SM 75
#endif

#if TENSOR_SM >= 80
const int kMmaM = 16, kMmaN = 8, kMmaK = 32;
#else
const int kMmaM = 8, kMmaN = 8, kMmaK = 16;
#endif
const int kRowPieces = kMmaM / 8, kSteps = kMmaK / 16;

// Of lane l, with g = l / 4 and t = l % 4. A register of A or B holds four numbers that follow each other along k.
struct FragmentA {
  uint32_t piece[kRowPieces][kSteps];  // [r][s]: row 8 r + g, k = 16 s + 4 t ... 16 s + 4 t + 3
};
struct FragmentB {
  uint32_t piece[kSteps];  // [s]: column g, k = 16 s + 4 t ... 16 s + 4 t + 3
};
struct FragmentC {
  int32_t piece[kRowPieces][2];  // [r][i]: row 8 r + g, column 2 t + i
};

// c += a * b. All 32 lanes of the warp must call it together.
__device__ inline void mma(FragmentC& c, const FragmentA& a, const FragmentB& b) {
#if TENSOR_SM >= 80
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(c.piece[0][0]), "+r"(c.piece[0][1]), "+r"(c.piece[1][0]), "+r"(c.piece[1][1])
      : "r"(a.piece[0][0]), "r"(a.piece[1][0]), "r"(a.piece[0][1]), "r"(a.piece[1][1]), "r"(b.piece[0]),
        "r"(b.piece[1]));
#else
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+r"(c.piece[0][0]), "+r"(c.piece[0][1])
               : "r"(a.piece[0][0]), "r"(b.piece[0]));
#endif
}
