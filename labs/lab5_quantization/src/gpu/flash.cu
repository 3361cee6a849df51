// X: attention without the n x n matrix (FlashAttention, Dao et al. 2022), forward and backward.
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

// With weights p_ij = exp(s_ij - m_i) / l_i, scores s_ij = q_i k_j / sqrt(d), g = dL/dO and w_ij = g_i v_j:
//   dV_j = sum over i of p_ij g_i          c_i = sum over j of p_ij w_ij
//   dQ_i = sum over j of p_ij (w_ij - c_i) k_j / sqrt(d)          dK_j = sum over i of the same with q_i
// One kernel per row of Q: a pass over the keys for m_i + log l_i and c_i, which go to `rows`, and a second one for dQ_i.
// Then one kernel per row of K, which reads `rows`. No atomics are needed.
void flash_backward(const float* q, const float* k, const float* v, const float* by_o, Gradients by, float* rows, int n,
                    Mask mask) {
  (void)q;
  (void)k;
  (void)v;
  (void)by_o;
  (void)by;
  (void)rows;
  (void)n;
  (void)mask;
}
// END STUDENT
