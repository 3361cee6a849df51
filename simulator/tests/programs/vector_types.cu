// Vector types: size, alignment, loads and stores of all widths.
#include "check.cuh"

#define SHOW(type) printf(#type " %d %d\n", static_cast<int>(sizeof(type)), static_cast<int>(alignof(type)))

__global__ void swizzle(const float4* a, const uchar4* b, const double2* c, const short2* d, float4* out) {
  const int i = threadIdx.x;
  const float4 f = a[i];
  const uchar4 u = b[i];
  const double2 e = c[i];
  const short2 s = d[i];
  out[i] = make_float4(f.w + u.x, f.z + u.y, f.y + u.z + static_cast<float>(e.x), f.x + u.w + s.y - s.x +
                                                                                      static_cast<float>(e.y));
}

int main() {
  SHOW(char3);
  SHOW(uchar4);
  SHOW(short2);
  SHOW(int3);
  SHOW(int4);
  SHOW(float2);
  SHOW(float3);
  SHOW(float4);
  SHOW(double2);
  SHOW(longlong2);
  SHOW(ulonglong2);
  SHOW(dim3);
  std::vector<float4> a(32);
  std::vector<uchar4> b(32);
  std::vector<double2> c(32);
  std::vector<short2> d(32);
  for (int i = 0; i < 32; ++i) {
    a[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
    b[i] = make_uchar4(i, i + 1, i + 2, 255 - i);
    c[i] = make_double2(i * 0.5, -i);
    d[i] = make_short2(-i, i * 100);
  }
  float4* out = device_array<float4>(32);
  swizzle<<<1, 32>>>(to_device(a), to_device(b), to_device(c), to_device(d), out);
  check_launch();
  const std::vector<float4> got = to_host(out, 32);
  float sum[4] = {};
  for (const float4& v : got) {
    sum[0] += v.x;
    sum[1] += v.y;
    sum[2] += v.z;
    sum[3] += v.w;
  }
  printf("%.1f %.1f %.1f %.1f\n", sum[0], sum[1], sum[2], sum[3]);
}
