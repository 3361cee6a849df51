// B-Q1: z = x + y on the CPU, K million elements. Run: vecaddcpu K [--n COUNT]
#include <stdlib.h>

#include "partb.h"

// BEGIN STUDENT
// Step 1. Add the two vectors: z[i] = x[i] + y[i] for every i from 0 to n - 1.
static void add(const float* x, const float* y, float* z, size_t n) {
  (void)x;
  (void)y;
  (void)z;
  (void)n;
}
// END STUDENT

int main(int argc, char** argv) {
  const Options options = read_cpu_options(argc, argv);
  const double begin = now_ms();
  // BEGIN STUDENT
  // Step 2. malloc x, y and z with options.n floats each (stop when malloc returns NULL) and fill_inputs(x, y, n).
  // Step 3. Call add() between two now_ms(); that difference is the execution time.
  const double execution = 0;
  print_size(options);
  print_ms("Execution Time", execution);
  print_ms("Total Time", now_ms() - begin);
  // Step 4. print_checksum(z, options.n), then free what you allocated.
  // END STUDENT
  return 0;
}
