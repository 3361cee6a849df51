// X1: three ways to add up the same products. Run: sums N SERIES
#define LAB1_USAGE "N ones|tenths|harmonic   (N: 1 to 2^40)"
#include "lab1.h"

float dpnaive(long N, const float *pA, const float *pB) {
  float R = 0.0f;
  for (long j = 0; j < N; j++) {
    R += pA[j] * pB[j];
  }
  return R;
}

// BEGIN STUDENT
// Step 1. Up to 8 products: dpnaive. More: the first N / 2 and the others, each by a call of its own, and one addition.
float dppairwise(long N, const float *pA, const float *pB) {
  (void)N;
  (void)pA;
  (void)pB;
  return 0.0f;
}

// Step 2. Kahan: beside the sum, keep what its last addition has lost; take it off the next product before you add.
float dpkahan(long N, const float *pA, const float *pB) {
  (void)N;
  (void)pA;
  (void)pB;
  return 0.0f;
}
// END STUDENT

int main(int argc, char **argv) {
  if (argc != 3) {
    lab1_usage(argv[0]);
  }
  const long n = lab1_number(argv[0], argv[1], 1, LAB1_MAX_N);
  const int tenths = strcmp(argv[2], "tenths") == 0, harmonic = strcmp(argv[2], "harmonic") == 0;
  if (!tenths && !harmonic && strcmp(argv[2], "ones") != 0) {
    lab1_usage(argv[0]);
  }
  float *a = lab1_allocate(n, sizeof(float)), *b = lab1_allocate(n, sizeof(float));
  for (long i = 0; i < n; i++) {
    a[i] = tenths ? 0.1f : harmonic ? 1.0f / (float)(i + 1) : 1.0f;
    b[i] = 1.0f;
  }
  printf("naive: %.9g\n", (double)dpnaive(n, a, b));
  printf("pairwise: %.9g\n", (double)dppairwise(n, a, b));
  printf("kahan: %.9g\n", (double)dpkahan(n, a, b));
  free(b);
  free(a);
  return 0;
}
