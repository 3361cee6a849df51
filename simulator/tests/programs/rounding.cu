// Rounding modes and conversions, at points where the four modes differ.
#include "check.cuh"

__global__ void evaluate(const float* in, float* f, double* d, int* n) {
  const float one = in[0], tiny = in[1], three = in[2];  // 1, 2^-30, 3
  int i = 0;
  f[i++] = __fadd_rn(one, tiny);
  f[i++] = __fadd_ru(one, tiny);
  f[i++] = __fadd_rz(-one, -tiny);
  f[i++] = __fadd_rd(-one, -tiny);
  f[i++] = __fdiv_rd(one, three);
  f[i++] = __fdiv_ru(one, three);
  f[i++] = __fmul_rn(three, one / three);
  f[i++] = __fmaf_rn(one + 1.1920929e-7f, one - 1.1920929e-7f, -one);  // exact product: -2^-46
  f[i++] = __fsqrt_rn(three);
  f[i++] = __frcp_rn(three);
  f[i++] = __double2float_rz(1.0 / three);
  f[i++] = __int2float_rz(0x01ffffff + static_cast<int>(tiny));
  f[i++] = __saturatef(three);
  d[0] = __dadd_ru(one, 1e-30 * one);
  d[1] = __ddiv_rd(one, three);
  d[2] = __fma_rn(three, 1.0 / three, -1.0);
  i = 0;
  n[i++] = __float2int_rn(2.5f * one);
  n[i++] = __float2int_rz(-2.7f * one);
  n[i++] = __float2int_ru(2.1f * one);
  n[i++] = __float2int_rd(-2.1f * one);
  n[i++] = __float2int_rz(1e20f * one);
  n[i++] = static_cast<int>(__float2uint_rz(-5.0f * one));
  n[i++] = __double2int_rn(3.5 * one);
  n[i++] = __float_as_int(three);
  n[i++] = __double2hiint(3.0 * one);
  n[i++] = static_cast<int>(__double2ll_rd(-0.5 * one));
}

int main() {
  float* f = device_array<float>(13);
  double* d = device_array<double>(3);
  int* n = device_array<int>(10);
  evaluate<<<1, 1>>>(to_device(std::vector<float>{1.0f, 9.3132257e-10f, 3.0f}), f, d, n);
  check_launch();
  for (float value : to_host(f, 13)) {
    printf("%a\n", value);
  }
  for (double value : to_host(d, 3)) {
    printf("%a\n", value);
  }
  for (int value : to_host(n, 10)) {
    printf("%d\n", value);
  }
}
