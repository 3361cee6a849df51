// B-Q1: z = x + y on the CPU, K million elements. Run: vecaddcpu K [--n COUNT]
#include <stdio.h>
#include <stdlib.h>

#include "partb.h"

static void add(const float* x, const float* y, float* z, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    z[i] = x[i] + y[i];
  }
}

static float* allocate(size_t n) {
  float* vector = static_cast<float*>(malloc(n * sizeof(float)));
  if (vector == nullptr) {
    fprintf(stderr, "not enough memory for %zu floats\n", n);
    exit(1);
  }
  return vector;
}

int main(int argc, char** argv) {
  const Options options = read_cpu_options(argc, argv);
  const double begin = now_ms();
  float* x = allocate(options.n);
  float* y = allocate(options.n);
  float* z = allocate(options.n);
  fill_inputs(x, y, options.n);
  add(x, y, z, options.n);  // warm-up: the first touch of z asks the system for its pages

  const double start = now_ms();
  add(x, y, z, options.n);
  const double execution = now_ms() - start;

  print_size(options);
  print_ms("Execution Time", execution);
  print_ms("Total Time", now_ms() - begin);
  print_checksum(z, options.n);
  free(x);
  free(y);
  free(z);
  return 0;
}
// HPML-CANARY-5e0c71f3b8a94d26
