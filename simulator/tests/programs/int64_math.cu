// 64-bit and 32-bit integer arithmetic: products, quotients, remainders, shifts, conversions.
#include "check.cuh"

__global__ void evaluate(const long long* a, const long long* b, long long* out) {
  const int t = threadIdx.x;
  const long long x = a[t], y = b[t];
  const unsigned long long ux = static_cast<unsigned long long>(x), uy = static_cast<unsigned long long>(y);
  long long* mine = out + t * 12;
  mine[0] = static_cast<long long>(ux * uy);
  mine[1] = x / y;
  mine[2] = x % y;
  mine[3] = static_cast<long long>(ux / uy);
  mine[4] = static_cast<long long>(ux % uy);
  mine[5] = x >> (y & 63);
  mine[6] = static_cast<long long>(ux >> (uy & 63));
  mine[7] = static_cast<long long>(ux << (uy & 63));
  mine[8] = static_cast<int>(x) / static_cast<int>(y | 1);
  mine[9] = static_cast<int>(x) % static_cast<int>(y | 1);
  mine[10] = static_cast<unsigned int>(x) / (static_cast<unsigned int>(y) | 1u);
  mine[11] = static_cast<short>(x) * static_cast<signed char>(y);
}

int main() {
  const std::vector<long long> a = {123456789012345ll, -123456789012345ll, 0x7fffffffffffffffll, -5, 1000003, 7};
  const std::vector<long long> b = {1000003, 1000003, -3, 3, -17, 123456789012345ll};
  long long* out = device_array<long long>(72);
  evaluate<<<1, 6>>>(to_device(a), to_device(b), out);
  check_launch();
  const std::vector<long long> got = to_host(out, 72);
  for (int t = 0; t < 6; ++t) {
    for (int i = 0; i < 12; ++i) {
      printf("%lld ", got[t * 12 + i]);
    }
    printf("\n");
  }
}
