// SIMD intrinsics on halves and bytes against what their definitions say of each part.
#include <stdint.h>

#include <algorithm>

#include "check.cuh"

constexpr int kWords = 2048, kKinds = 24;

__global__ void evaluate(const uint32_t* a, const uint32_t* b, uint32_t* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t x = a[i], y = b[i];
  const uint32_t results[kKinds] = {__vadd4(x, y),      __vaddss2(x, y),   __vaddus4(x, y),  __vsub2(x, y),
                                    __vsubss4(x, y),    __vsubus2(x, y),   __vavgu4(x, y),   __vhaddu2(x, y),
                                    __vmaxs2(x, y),     __vminu4(x, y),    __vabsdiffu4(x, y), __vsadu4(x, y),
                                    __vsads2(x, y),     __vcmpgtu4(x, y),  __vcmpeq2(x, y),  __vsetles4(x, y),
                                    __vsetltu2(x, y),   __vneg2(x),        __vnegss4(x),     __vabs4(x),
                                    __vabsss2(x),       __vmaxu2(x, y),    __vmins4(x, y),   __vcmpges2(x, y)};
  for (int kind = 0; kind < kKinds; ++kind) {
    out[kind * kWords + i] = results[kind];
  }
}

int part(uint32_t x, int bits, int i, bool is_signed) {
  const uint32_t raw = (x >> (i * bits)) & ((1u << bits) - 1);
  return is_signed && (raw >> (bits - 1)) != 0 ? static_cast<int>(raw) - (1 << bits) : static_cast<int>(raw);
}
template <class F>
uint32_t each(uint32_t x, uint32_t y, int bits, bool is_signed, F f) {
  uint32_t out = 0;
  for (int i = 0; i < 32 / bits; ++i) {
    const int value = f(part(x, bits, i, is_signed), part(y, bits, i, is_signed));
    out |= (static_cast<uint32_t>(value) & ((1u << bits) - 1)) << (i * bits);
  }
  return out;
}
int clamped(int value, int least, int most) { return std::min(std::max(value, least), most); }

uint32_t expected(int kind, uint32_t x, uint32_t y) {
  uint32_t sum = 0;
  switch (kind) {
    case 0: return each(x, y, 8, false, [](int p, int q) { return p + q; });
    case 1: return each(x, y, 16, true, [](int p, int q) { return clamped(p + q, -32768, 32767); });
    case 2: return each(x, y, 8, false, [](int p, int q) { return clamped(p + q, 0, 255); });
    case 3: return each(x, y, 16, false, [](int p, int q) { return p - q; });
    case 4: return each(x, y, 8, true, [](int p, int q) { return clamped(p - q, -128, 127); });
    case 5: return each(x, y, 16, false, [](int p, int q) { return clamped(p - q, 0, 65535); });
    case 6: return each(x, y, 8, false, [](int p, int q) { return (p + q + 1) / 2; });
    case 7: return each(x, y, 16, false, [](int p, int q) { return (p + q) / 2; });
    case 8: return each(x, y, 16, true, [](int p, int q) { return std::max(p, q); });
    case 9: return each(x, y, 8, false, [](int p, int q) { return std::min(p, q); });
    case 10: return each(x, y, 8, false, [](int p, int q) { return std::abs(p - q); });
    case 11: each(x, y, 8, false, [&](int p, int q) { return sum += std::abs(p - q), 0; }); return sum;
    case 12: each(x, y, 16, true, [&](int p, int q) { return sum += std::abs(p - q), 0; }); return sum;
    case 13: return each(x, y, 8, false, [](int p, int q) { return p > q ? 255 : 0; });
    case 14: return each(x, y, 16, false, [](int p, int q) { return p == q ? 65535 : 0; });
    case 15: return each(x, y, 8, true, [](int p, int q) { return p <= q ? 1 : 0; });
    case 16: return each(x, y, 16, false, [](int p, int q) { return p < q ? 1 : 0; });
    case 17: return each(x, y, 16, true, [](int p, int) { return -p; });
    case 18: return each(x, y, 8, true, [](int p, int) { return clamped(-p, -128, 127); });
    case 19: return each(x, y, 8, true, [](int p, int) { return std::abs(p); });
    case 20: return each(x, y, 16, true, [](int p, int) { return clamped(std::abs(p), 0, 32767); });
    case 21: return each(x, y, 16, false, [](int p, int q) { return std::max(p, q); });
    case 22: return each(x, y, 8, true, [](int p, int q) { return std::min(p, q); });
    default: return each(x, y, 16, true, [](int p, int q) { return p >= q ? 65535 : 0; });
  }
}

int main() {
  std::vector<uint32_t> a, b;
  uint32_t state = 12345;
  const auto next = [&state] {  // words with parts at the ends of their ranges among them
    state = state * 1664525u + 1013904223u;
    const uint32_t high = state & 0xffff0000u;
    state = state * 1664525u + 1013904223u;
    const uint32_t word = high | state >> 16;
    const uint32_t choice = high >> 24 & 7;
    return choice == 0 ? word & 0x80808080u : choice == 1 ? word | 0x7f7f7f7fu : choice == 2 ? 0x80000000u : word;
  };
  for (int i = 0; i < kWords; ++i) {
    a.push_back(next());
    b.push_back(i % 8 == 0 ? a.back() : next());
  }
  uint32_t* out = device_array<uint32_t>(kWords * kKinds);
  evaluate<<<kWords / 128, 128>>>(to_device(a), to_device(b), out);
  check_launch();
  const std::vector<uint32_t> results = to_host(out, kWords * kKinds);
  for (int kind = 0; kind < kKinds; ++kind) {
    int wrong = 0;
    for (int i = 0; i < kWords; ++i) {
      wrong += results[kind * kWords + i] != expected(kind, a[i], b[i]);
    }
    printf("kind %d: %d wrong\n", kind, wrong);
  }
  return 0;
}
