// F: attention without the n x n matrix. Target: only O is written, K and V are read once per block.
#include "extension.h"

// BEGIN STUDENT
// One thread per row of Q, in registers, with its row of O. Tiles of K and V go through shared memory.
// Keep the highest score so far and the sum of exp(score - highest). When a score is higher, what has been summed up is
// multiplied by exp(before - highest): thus the softmax needs only one pass, and no n x n matrix is ever written.
// At the end divide O by the sum. Load and store rows with float4.
void attention(const float* Q, const float* K, const float* V, float* O, int n) {
  (void)Q;
  (void)K;
  (void)V;
  (void)O;
  (void)n;
}
// END STUDENT
