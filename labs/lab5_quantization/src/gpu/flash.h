#pragma once
// X: attention without the n x n matrix. Given, do not modify.
#include "device.h"

const int kHead = 64;   // length d of a row of Q, K, V and O
const int kBlock = 64;  // rows of Q that a block of threads works on: Br

// Row i of Q sees key j when j < length, and, if causal, j <= i + offset. (Offset: the rows of Q may be the last or the
// first of a longer text; a negative one leaves the first rows without any key.)
struct Mask {
  int length;
  int causal;
  int offset;
};

// O = softmax(Q K^T / sqrt(d)) V, all n x d on the GPU; kBlock divides n; the softmax of a row goes over the keys it
// sees. A row that sees none is all zeros. No memory but O may be written: n x n numbers do not fit.
void flash_attention(const float* q, const float* k, const float* v, float* o, int n, Mask mask);

// The derivatives of a loss by Q, K and V from the one by O, all n x d on the GPU. Scores and weights are computed again.
// rows: 2 n numbers of scratch memory, for what you want to know of every row.
struct Gradients {
  float *q, *k, *v;
};
void flash_backward(const float* q, const float* k, const float* v, const float* by_o, Gradients by, float* rows, int n,
                    Mask mask);
