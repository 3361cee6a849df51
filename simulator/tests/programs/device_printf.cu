// printf in a kernel: formats, many arguments, strings, lanes in order, host text in between.
#include "check.cuh"

__global__ void formats(double d) {
  const char* word = "device";
  printf("no arguments\n");
  printf("%d %u %x %c %s %%\n", -5, 7u, 255, 'k', word);
  printf("%lld %llu %5.2f %e %g\n", -1234567890123ll, 18446744073709551615ull, d, d, 0.5);
  printf("%-6d|%06d|%+d|% d\n", 42, 42, 42, 42);
  printf("%d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
}

__global__ void lanes() { printf("lane %d of block %d\n", threadIdx.x, blockIdx.x); }

int main() {
  printf("before\n");
  fflush(stdout);
  formats<<<1, 1>>>(3.14159);
  check_launch();
  printf("between\n");
  fflush(stdout);
  lanes<<<1, 4>>>();
  check_launch();
  printf("after\n");
}
