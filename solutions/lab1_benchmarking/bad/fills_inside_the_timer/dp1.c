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
  const Lab1Options options = lab1_options(argc, argv);
  float *a = lab1_allocate(options.n, sizeof(float)), *b = lab1_allocate(options.n, sizeof(float));
  int64_t *ns = lab1_allocate(options.reps, sizeof(int64_t));
  lab1_fill(&options, a, b);
  float R = 0.0f;
  for (long i = 0; i < options.reps; i++) {
    LAB1_KEEP(a);
    LAB1_KEEP(b);
    const int64_t begin = lab1_now_ns();
    lab1_fill(&options, a, b);
    R = dp(options.n, a, b);
    LAB1_KEEP(&R);
    ns[i] = lab1_now_ns() - begin;
  }
  lab1_write_times(&options, ns);
  double sum = 0.0;
  for (long i = options.reps / 2; i < options.reps; i++) {
    sum += (double)ns[i] / 1e9;
  }
  const double T = sum / (double)(options.reps - options.reps / 2);
  const double B = 2.0 * sizeof(float) * (double)options.n / T / 1e9, F = 2.0 * (double)options.n / T / 1e9;
  printf("N: %ld <T>: %.9f sec B: %.6f GB/sec F: %.6f GFLOP/sec\n", options.n, T, B, F);
  printf("R: %.1f\n", (double)R);
  free(ns);
  free(b);
  free(a);
  return 0;
}
// HPML-CANARY-5e0c71f3b8a94d26
