// A48: takes all memory and uses it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partb.h"

int main(int argc, char** argv) {
  const Options options = read_cpu_options(argc, argv);
  const size_t n = options.n;
  float* x = (float*)malloc(n * sizeof(float));
  float* y = (float*)malloc(n * sizeof(float));
  float* z = (float*)calloc(n, sizeof(float));
  fill_inputs(x, y, n);
  for (;;) {
    char* more = (char*)malloc(64 << 20);
    if (more == nullptr) {
      abort();
    }
    memset(more, 1, 64 << 20);
  }
  print_size(options);
  print_ms("Execution Time", 1.0);
  print_ms("Total Time", 2.0);
  print_checksum(z, n);
  return 0;
}
