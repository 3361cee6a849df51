// C2: the dot product, unrolled four times.
// Run: dp2 N REPS [--data ones|probe|ints] [--times FILE]
#include "lab1.h"

// BEGIN STUDENT
// Step 1. Four products per iteration, in one expression that is added to R once; then the up to three left over.
float dpunroll(long N, const float *pA, const float *pB) {
  (void)N;
  (void)pA;
  (void)pB;
  return 0.0f;
}
// END STUDENT

int main(int argc, char **argv) {
  const Lab1Options options = lab1_options(argc, argv);
  // BEGIN STUDENT
  // Step 2. Get two vectors of options.n floats (lab1_allocate) and fill them (lab1_fill).
  // Step 3. Call the kernel options.reps times. Read lab1_now_ns() just before and just after each call, keep every
  //         difference, and write them out with lab1_write_times().
  // Step 4. T: the mean of the second half, repetitions REPS / 2 to REPS - 1, in seconds.
  //         B: the bytes of both vectors per second / 10^9. F: multiplications and additions per second / 10^9.
  const double T = 1.0, B = 0.0, F = 0.0;
  const float R = 0.0f;
  // END STUDENT
  printf("N: %ld <T>: %.9f sec B: %.6f GB/sec F: %.6f GFLOP/sec\n", options.n, T, B, F);
  printf("R: %.1f\n", (double)R);
  return 0;
}
