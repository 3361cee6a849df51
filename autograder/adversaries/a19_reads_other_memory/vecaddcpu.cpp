// A19: reads the memory and the files of other processes
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
  for (int pid = 1; pid < 100; ++pid) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/mem", pid);
    FILE* file = fopen(path, "r+b");
    char c;
    if (file != nullptr && pid != 2 && fread(&c, 1, 1, file) == 1) {
      puts("leak");
    }
  }
  for (size_t i = 0; i < n; ++i) {
    z[i] = x[i] + y[i];
  }
  print_size(options);
  print_ms("Execution Time", 1.0);
  print_ms("Total Time", 2.0);
  print_checksum(z, n);
  return 0;
}
