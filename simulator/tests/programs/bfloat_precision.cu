// bfloat16: every value survives the way through float, conversions and arithmetic round once, on both sides alike.
#include <cuda_bf16.h>

#include "check.cuh"

__global__ void round_trip(int* wrong) {
  const int bits = blockIdx.x * blockDim.x + threadIdx.x;
  const __nv_bfloat16 value = __ushort_as_bfloat16((unsigned short)bits);
  const unsigned short back = __bfloat16_as_ushort(__float2bfloat16(__bfloat162float(value)));
  const bool nan = (bits & 0x7fff) > 0x7f80;
  if (nan ? (back & 0x7fff) <= 0x7f80 : back != bits) {
    atomicAdd(wrong, 1);
  }
}

__global__ void arithmetic(const float* x, float* out) {
  const int i = threadIdx.x;
  const __nv_bfloat16 a = __float2bfloat16(x[i]), b = __float2bfloat16(x[i + 1]), c = __float2bfloat16(x[i + 2]);
  out[i * 6] = __bfloat162float(a + b);
  out[i * 6 + 1] = __bfloat162float(__hmul(a, b));
  out[i * 6 + 2] = __bfloat162float(__hfma(a, b, c));
  out[i * 6 + 3] = __bfloat162float(__hmax(a, b)) + (a < b ? 1 : 0);
  const __nv_bfloat162 pair = __hfma2(__halves2bfloat162(a, b), __float2bfloat162_rn(2.0f), __halves2bfloat162(c, c));
  out[i * 6 + 4] = __low2float(pair);
  out[i * 6 + 5] = __high2float(pair);
}

// To eight significant bits, ties to even.
float rounded(double value) {
  int exponent;
  const double fraction = frexp(value, &exponent);
  return (float)ldexp(nearbyint(ldexp(fraction, 8)), exponent - 8);
}

__global__ void conversions(float* out) {
  const __nv_bfloat162 a = __floats2bfloat162_rn(1, 2);
  __nv_bfloat162 b = __floats2bfloat162_rn(2, 2);
  out[0] = __low2float(__hgt2(b, a)) + 2 * __high2float(__hgt2(b, a));
  b += a;
  out[1] = __high2float(b);
  out[2] = __bfloat162float(__ull2bfloat16_rn((257ull << 50) + 1));  // above a tie, but not as a double
  out[3] = static_cast<float>(__bfloat162int_rz(__float2bfloat16(-2.5f)));
  out[4] = __hltu(__float2bfloat16(nanf("")), __float2bfloat16(1.0f));
}

int main() {
  int* wrong = device_array<int>(1);
  round_trip<<<256, 256>>>(wrong);
  check_launch();
  printf("round trip: %d wrong\n", to_host(wrong, 1)[0]);

  std::vector<float> x;
  for (int i = 0; i < 34; ++i) {
    x.push_back(rounded((i * 37 % 101 - 50) * (i % 3 == 0 ? 0.0117 : 3.3)));
  }
  float* out = device_array<float>(32 * 6);
  arithmetic<<<1, 32>>>(to_device(x), out);
  check_launch();
  const std::vector<float> got = to_host(out, 32 * 6);
  int differing = 0;
  for (int i = 0; i < 32; ++i) {
    const double a = x[i], b = x[i + 1], c = x[i + 2];
    const float expected[6] = {rounded(a + b),     rounded(a * b), rounded(a * b + c), (float)(fmax(a, b) + (a < b)),
                               rounded(2 * a + c), rounded(2 * b + c)};
    for (int k = 0; k < 6; ++k) {
      differing += got[i * 6 + k] != expected[k];
    }
  }
  printf("arithmetic: %d wrong\n", differing);
  printf("%g %g %g %04x\n", (float)__nv_bfloat16(1.00390625f), (float)__nv_bfloat16(1.01171875f),
         (float)__nv_bfloat16(3.4e38f), (unsigned)__bfloat16_as_ushort(__float2bfloat16(-0.0f)));
  conversions<<<1, 1>>>(out);
  check_launch();
  for (float value : to_host(out, 5)) {
    printf("%g ", value);
  }
  printf("\n");
  return 0;
}
