// A47: files without an end
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
  for (int number = 0;; ++number) {
    char name[64];
    snprintf(name, sizeof(name), "/scratch/%d", number);
    FILE* file = fopen(name, "wb");
    if (file == nullptr) {
      abort();
    }
    for (int i = 0; i < 1000; ++i) {
      if (fwrite(x, sizeof(float), n < 1000 ? n : 1000, file) == 0 || fflush(file) != 0) {
        abort();
      }
    }
    fclose(file);
  }
  print_size(options);
  print_ms("Execution Time", 1.0);
  print_ms("Total Time", 2.0);
  print_checksum(z, n);
  return 0;
}
