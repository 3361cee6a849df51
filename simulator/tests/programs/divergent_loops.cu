// Loops of different length in every lane, with break, continue and nesting: the length of Collatz sequences.
#include "check.cuh"

__global__ void collatz(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  long long value = i + 1;
  int steps = 0;
  while (value != 1) {
    value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    ++steps;
  }
  int primes = 0;
  for (int p = 2; p <= i; ++p) {
    bool composite = false;
    for (int q = 2; q * q <= p; ++q) {
      if (p % q == 0) {
        composite = true;
        break;
      }
    }
    if (composite) {
      continue;
    }
    ++primes;
  }
  out[i] = steps * 1000 + primes;
}

int main() {
  const int n = 200;
  int* out = device_array<int>(n);
  collatz<<<7, 32>>>(out, n);
  check_launch();
  const std::vector<int> got = to_host(out, n);
  printf("%d %d %d\n", got[26], got[96], got[199]);
  printf("checksum %lld\n", checksum(got));
}
