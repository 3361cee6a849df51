// Integer intrinsics at points whose results follow from their definitions.
#include "check.cuh"

__global__ void evaluate(const int* in, unsigned int* out) {
  const int x = in[0];  // 0x12345678, from memory so that nothing is folded
  const unsigned int u = static_cast<unsigned int>(x);
  int i = 0;
  out[i++] = __popc(u);
  out[i++] = __popcll(0xff00000000000001ull + (u & 0));
  out[i++] = __clz(x);
  out[i++] = __clz(x & 0);
  out[i++] = __clzll(static_cast<long long>(x));
  out[i++] = __ffs(x);
  out[i++] = __ffs(x & 0);
  out[i++] = __ffsll(1ll << 40 | (u & 0));
  out[i++] = __brev(u);
  out[i++] = static_cast<unsigned int>(__brevll(u) >> 32);
  out[i++] = __byte_perm(u, 0xaabbccddu, 0x3715);
  out[i++] = __mulhi(x, -x);
  out[i++] = __umulhi(u, u);
  out[i++] = __mul24(x, 3);
  out[i++] = __umul24(u, 5);
  out[i++] = static_cast<unsigned int>(__umul64hi(static_cast<unsigned long long>(u) << 32, u));
  out[i++] = __sad(x, -5, 7);
  out[i++] = __usad(3, u, 1);
  out[i++] = __funnelshift_l(u, 0x9abcdef0u, 8);
  out[i++] = __funnelshift_r(u, 0x9abcdef0u, 40);
  out[i++] = __hadd(x, -7);
  out[i++] = __uhadd(u, 0xffffffffu);
  out[i++] = min(x, -1);
  out[i++] = max(u, 0x80000000u);
  out[i++] = abs(-x);
#if __CUDA_ARCH__ >= 610
  out[i++] = __dp4a(x, 0x01ff0203, 4);
  out[i++] = __dp2a_lo(x, 0x04fe0607, 10);
  out[i++] = __dp2a_hi(x, 0x04fe0607, 10);
  out[i++] = __dp2a_hi(u, 0x04fe0607u, 10u);
#else  // has no such instructions
  for (const unsigned int sum : {0x1f6u, 0x2ca8au, 0xffff9beau, 0x5613eau}) {
    out[i++] = sum;
  }
#endif
}

int main() {
  unsigned int* out = device_array<unsigned int>(29);
  evaluate<<<1, 1>>>(to_device(std::vector<int>{0x12345678}), out);
  check_launch();
  for (unsigned int value : to_host(out, 29)) {
    printf("%08x\n", value);
  }
}
