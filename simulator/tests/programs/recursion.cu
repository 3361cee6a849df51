// Recursion in device code, of one function and of two that call each other, with lanes at different depths.
#include "check.cuh"

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ bool odd(int n);
__device__ __noinline__ bool even(int n) { return n == 0 ? true : odd(n - 1); }
__device__ __noinline__ bool odd(int n) { return n == 0 ? false : even(n - 1); }

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) {
    return n + 1;
  }
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void recurse(int* out) {
  const int t = threadIdx.x;
  out[t] = fibonacci(t % 16) + (even(t) ? 10000 : 0) + 100000 * ackermann(2, t % 3);
}

int main() {
  int* out = device_array<int>(32);
  recurse<<<1, 32>>>(out);
  check_launch();
  const std::vector<int> got = to_host(out, 32);
  printf("%d %d %d\n", got[2], got[15], got[31]);
  printf("checksum %lld\n", checksum(got));
}
