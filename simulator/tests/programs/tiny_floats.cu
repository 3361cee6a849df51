// The 8-bit floating types (cuda_fp8.h): every code to half and float and back, and what is rounded to them from doubles on
// and beside the edges of every step, out of range, and no number. Recorded from NVIDIA's header.
#include <cuda_fp8.h>

#include <math.h>
#include <string.h>

#include "check.cuh"

constexpr int kCodes = 256, kKinds = 8;

__host__ __device__ void mix(unsigned long long& hash, unsigned long long word) { hash = (hash ^ word) * 1099511628211ull; }

// What code `code` gives in each direction.
template <class Type, class Pair, class Four>
__host__ __device__ unsigned long long of_code(int code, __nv_fp8_interpretation_t format) {
  unsigned long long hash = 14695981039346656037ull;
  Type one;
  one.__x = static_cast<__nv_fp8_storage_t>(code);
  mix(hash, __nv_cvt_fp8_to_halfraw(one.__x, format).x);
  const float value = static_cast<float>(one);
  if (value != value || value - value != 0) {  // no number or infinite
    return hash;
  }
  mix(hash, Type(value).__x);
  mix(hash, Type(static_cast<__half>(one)).__x);
  mix(hash, static_cast<unsigned int>(static_cast<int>(one)));
  mix(hash, static_cast<bool>(one));
  // On the edge between this step and the next, beside it, and out of range.
  const double edges[kKinds] = {value * 1.0625, value * 1.125, value * 1.1250001, value * 1.1249999,
                                value + 0.0009765625, value * 1e4, value * 1e-4, value * 0.9375};
  for (const double edge : edges) {
    for (const __nv_saturation_t saturate : {__NV_NOSAT, __NV_SATFINITE}) {
      mix(hash, __nv_cvt_double_to_fp8(edge, saturate, format));
      mix(hash, __nv_cvt_float_to_fp8(static_cast<float>(edge), saturate, format));
    }
  }
  const Four four(make_float4(value, value * 3, -value, 1));
  mix(hash, four.__x);
  const float4 back = static_cast<float4>(four);
  mix(hash, static_cast<unsigned long long>(static_cast<long long>((back.x + back.y + back.z + back.w) * 1024)));
  mix(hash, Pair(make_float2(value, 2)).__x);
  return hash;
}

template <class Type, class Pair, class Four>
__global__ void on_device(unsigned long long* out, __nv_fp8_interpretation_t format) {
  out[threadIdx.x] = of_code<Type, Pair, Four>(threadIdx.x, format);
}

template <class Type, class Pair, class Four>
void show(const char* name, __nv_fp8_interpretation_t format) {
  unsigned long long* device = device_array<unsigned long long>(kCodes);
  on_device<Type, Pair, Four><<<1, kCodes>>>(device, format);
  check_launch();
  unsigned long long all = 14695981039346656037ull;
  int same = 0, code = 0;
  for (const unsigned long long there : to_host(device, kCodes)) {
    const unsigned long long here = of_code<Type, Pair, Four>(code++, format);
    same += here == there;
    mix(all, here);
  }
  printf("%s %016llx, %d of %d the same on the device\n", name, all, same, kCodes);
  printf("  infinite %02x, not saturated %02x; no number %02x\n", __nv_cvt_double_to_fp8(-HUGE_VAL, __NV_SATFINITE, format),
         __nv_cvt_double_to_fp8(HUGE_VAL, __NV_NOSAT, format), __nv_cvt_double_to_fp8(NAN, __NV_NOSAT, format));
}

int main() {
  show<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>("e4m3", __NV_E4M3);
  show<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>("e5m2", __NV_E5M2);
}
