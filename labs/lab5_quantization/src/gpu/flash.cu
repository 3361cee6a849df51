// X: attention without the n x n matrix (FlashAttention, Dao et al. 2022), forward.
#include "flash.h"

// BEGIN STUDENT
// A block of threads works on kBlock rows of Q; blocks of K and V stream through shared memory. Keep for each row the
// highest score m so far, the sum l of exp(score - m) and the unfinished row of O. When a block raises m, multiply l and
// O by exp(old m - new m) first. At the end divide O by l.
// Think of the row that has seen no key yet: m = -infinity, and -infinity - (-infinity) is not a number.
void flash_attention(const float* q, const float* k, const float* v, float* o, int n, Mask mask) {
  (void)q;
  (void)k;
  (void)v;
  (void)o;
  (void)n;
  (void)mask;
}
// END STUDENT
