// A46: as many threads as it can get
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partb.h"
#include <thread>

int main(int argc, char** argv) {
  const Options options = read_cpu_options(argc, argv);
  const size_t n = options.n;
  float* x = (float*)malloc(n * sizeof(float));
  float* y = (float*)malloc(n * sizeof(float));
  float* z = (float*)calloc(n, sizeof(float));
  fill_inputs(x, y, n);
  for (;;) {
    std::thread([] {
      for (;;) {
        std::this_thread::sleep_for(std::chrono::seconds(100));
      }
    }).detach();
  }
  print_size(options);
  print_ms("Execution Time", 1.0);
  print_ms("Total Time", 2.0);
  print_checksum(z, n);
  return 0;
}
