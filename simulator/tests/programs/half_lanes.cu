// Halves and bfloat16s between the lanes of a warp, added to one place by many threads, and pairs of halves compared.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.cuh"

struct Sums {
  __half half;
  __half2 halves;
  __nv_bfloat16 bfloat;
  __nv_bfloat162 bfloats;
};

__global__ void add(Sums* sums) {
  atomicAdd(&sums->half, __float2half(1.0f));
  atomicAdd(&sums->halves, __floats2half2_rn(1.0f, 2.0f));
  atomicAdd(&sums->bfloat, __float2bfloat16(1.0f));
  atomicAdd(&sums->bfloats, __floats2bfloat162_rn(1.0f, 2.0f));
}

__global__ void pass_on(int* out) {
  const int lane = threadIdx.x;
  const __half h = __int2half_rn(lane);
  const __half2 pair = __floats2half2_rn(static_cast<float>(lane), static_cast<float>(-lane));
  const __nv_bfloat16 b = __float2bfloat16(static_cast<float>(lane));
  int right = __half2int_rz(__shfl_xor_sync(~0u, h, 1)) == (lane ^ 1);
  right += __low2float(__shfl_sync(~0u, pair, 5)) == 5.0f && __high2float(__shfl_sync(~0u, pair, 5)) == -5.0f;
  right += __bfloat162float(__shfl_down_sync(~0u, b, 2)) == static_cast<float>(lane < 30 ? lane + 2 : lane);
  right += __half2float(__shfl_up_sync(~0u, h, 1)) == static_cast<float>(lane > 0 ? lane - 1 : 0);
  out[lane] = right;
}

// Each half by itself: at 0 they are equal, above it the first is greater and the second less.
__global__ void compare(unsigned int* out) {
  const float t = static_cast<float>(threadIdx.x);
  const __half2 a = __floats2half2_rn(t, -t), zero = __float2half2_rn(0.0f);
  const __half2 greater = __hgt2(a, zero);
  unsigned int flags = __hgt2_mask(a, zero) & 1u;
  flags |= (__hle2_mask(a, zero) >> 31) << 1;
  flags |= (__hbeq2(a, zero) ? 1u : 0u) << 2;
  flags |= (__low2float(greater) + __high2float(greater) == 1.0f ? 1u : 0u) << 3;
  flags |= (__hbeq2(__habs2(a), __hneg2(__lowhigh2highlow(__hneg2(__habs2(a))))) ? 1u : 0u) << 4;
  flags |= (__half2float(__hmul_sat(__low2half(a), __float2half(0.5f))) == fminf(t * 0.5f, 1.0f) ? 1u : 0u) << 5;
  flags |= (__low2float(h2exp2(__half2(__float2half(t), zero.y))) == exp2f(t) ? 1u : 0u) << 6;
  const __half2 kept = __hfma2_sat(a, __float2half2_rn(0.5f), __float2half2_rn(0.25f));
  const bool within = __low2float(kept) == fminf(t * 0.5f + 0.25f, 1.0f) && __high2float(kept) == fmaxf(0.25f - t * 0.5f, 0.0f);
  flags |= (within ? 1u : 0u) << 7;
  out[threadIdx.x] = flags;
}

int main() {
  Sums* sums = device_array<Sums>(1);
  add<<<3, 50>>>(sums);
  check_launch();
  const Sums got = to_host(sums, 1)[0];
  printf("half %g, pair %g %g\n", __half2float(got.half), __low2float(got.halves), __high2float(got.halves));
  printf("bfloat %g, pair %g %g\n", __bfloat162float(got.bfloat), __low2float(got.bfloats), __high2float(got.bfloats));

  int* lanes = device_array<int>(32);
  pass_on<<<1, 32>>>(lanes);
  check_launch();
  int right = 0;
  for (const int n : to_host(lanes, 32)) {
    right += n;
  }
  printf("passed on: %d of 128\n", right);

  unsigned int* flags = device_array<unsigned int>(4);
  compare<<<1, 4>>>(flags);
  check_launch();
  for (const unsigned int one : to_host(flags, 4)) {
    printf("compared: %#x\n", one);
  }
}
