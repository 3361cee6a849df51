// E1: the bandwidth of the memory, after McCalpin's STREAM. Run: stream BYTES REPS [--times FILE]
#define LAB1_USAGE "BYTES REPS [--times FILE]   (BYTES of each array: 8 to 2^40, REPS: 2 to 1000000)"
#include "lab1.h"

// Not static: the grader also calls them, on arrays of its own, which do not overlap.
void copy(long n, double *c, const double *a);
void scale(long n, double k, double *b, const double *c);
void add(long n, double *c, const double *a, const double *b);
void triad(long n, double k, double *a, const double *b, const double *c);

// BEGIN STUDENT
// Step 1. Four kernels over n doubles: copy c = a, scale b = k c, add c = a + b, triad a = b + k c.
// END STUDENT

int main(int argc, char **argv) {
  if (argc != 3 && !(argc == 5 && strcmp(argv[3], "--times") == 0)) {
    lab1_usage(argv[0]);
  }
  const long n = lab1_number(argv[0], argv[1], 8, LAB1_MAX_N) / 8;
  const long reps = lab1_number(argv[0], argv[2], 2, LAB1_MAX_REPS);
  (void)n;
  (void)reps;
  double best[4] = {0.0, 0.0, 0.0, 0.0}, check = 0.0;
  // BEGIN STUDENT
  // Step 2. Three arrays with a = 1, b = 2, c = 0 in every element (all written!), k = 3.
  // Step 3. REPS rounds of copy, scale, add, triad; time each of the four. --times: four lines per round, in this order.
  // Step 4. best: counted bytes (16, 16, 24, 24 per element) / smallest time but the first round's, in 10^9 bytes/s.
  // Step 5. check = a[0] + b[0] + c[0].
  // END STUDENT
  const char *const names[4] = {"Copy", "Scale", "Add", "Triad"};
  for (int kernel = 0; kernel < 4; kernel++) {
    printf("%s: %.3f GB/s\n", names[kernel], best[kernel]);
  }
  printf("Check: %.15g\n", check);
  return 0;
}
