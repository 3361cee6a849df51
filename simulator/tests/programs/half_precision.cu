// Half precision: every value survives the way through float; arithmetic rounds once.
#include <cuda_fp16.h>

#include "check.cuh"

__global__ void round_trip(int* wrong) {
  const unsigned short bits = static_cast<unsigned short>(blockIdx.x * blockDim.x + threadIdx.x);
  const half h = __ushort_as_half(bits);
  const bool is_nan = (bits & 0x7fff) > 0x7c00;
  if (!is_nan && __half_as_ushort(__float2half(__half2float(h))) != bits) {
    atomicAdd(wrong, 1);
  }
}

__global__ void arithmetic(float* out) {
  const half a = __float2half(2048.0f), b = __float2half(1.0f), c = __float2half(3.0f);
  out[0] = __half2float(__hadd(a, b));        // 2049 is a tie: to even
  out[1] = __half2float(__hadd(a, c));        // 2051 is a tie: to even
  out[2] = __half2float(__hmul(c, __float2half(0.1f)));
  out[3] = __half2float(__hfma(a, a, b));     // infinity
  out[4] = __half2float(__hfma(c, c, b));
  out[5] = __half2float(__float2half(65519.0f));
  const half2 pair = __hadd2(__floats2half2_rn(1.5f, -2.5f), __floats2half2_rn(0.25f, 0.5f));
  out[6] = __low2float(pair);
  out[7] = __high2float(pair);
}

__global__ void conversions(float* out) {
  out[0] = __half2float(__double2half(2049.0 + 1e-9));  // above the tie, but not as a float
  out[1] = __half2float(__float2half_rz(2.9999f));
  out[2] = __half2float(__ull2half_rn(2051));
  out[3] = __half2short_rn(__float2half(2.5f));
  out[4] = static_cast<float>(__half2ushort_rz(__float2half(-3.0f)));
  out[5] = __hgtu(__float2half(nanf("")), __float2half(1.0f)) + 2 * __hgt(__float2half(nanf("")), __float2half(1.0f));
}

int main() {
  int* wrong = device_array<int>(1);
  round_trip<<<256, 256>>>(wrong);
  check_launch();
  printf("wrong %d\n", to_host(wrong, 1)[0]);
  float* out = device_array<float>(8);
  arithmetic<<<1, 1>>>(out);
  check_launch();
  for (float value : to_host(out, 8)) {
    printf("%.10g\n", value);
  }
  conversions<<<1, 1>>>(out);
  check_launch();
  for (float value : to_host(out, 6)) {
    printf("%g\n", value);
  }
}
