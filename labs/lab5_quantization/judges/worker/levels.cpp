#include "levels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

namespace hpml::lab5 {

std::vector<Level> levels_here() {
  std::vector<Level> levels = {naive, blocked};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    levels.push_back(avx2);
  }
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl")) {
    levels.push_back(vnni);
  }
#elif defined(__aarch64__)
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) {
    levels.push_back(neon);
  }
#endif
  return levels;
}

namespace {

constexpr int kChains = 12;  // enough to hide the latency of one

// 128 bits at a time, the instruction that every processor of the architecture has; in the form the compiler gives it.
void in_plain_registers(int64_t macs) {
  using Products = int32_t __attribute__((vector_size(16)));
  Products acc[kChains] = {}, a = {1, 2, 3, 4}, b = {5, 6, 7, 8};
  for (int64_t done = 0; done < macs; done += 4 * kChains) {
    asm volatile("" : "+m"(a), "+m"(b));
#pragma GCC unroll 12
    for (Products& one : acc) {
      one += a * b;
    }
  }
  for (Products& one : acc) {
    asm volatile("" ::"m"(one));
  }
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) void in_avx2_registers(int64_t macs) {
  __m256i acc[kChains] = {}, a = _mm256_set1_epi16(3), b = _mm256_set1_epi16(5);
  for (int64_t done = 0; done < macs; done += 16 * kChains) {
#pragma GCC unroll 12
    for (__m256i& one : acc) {
      asm volatile("" : "+x"(a));  // each product is computed anew
      one = _mm256_add_epi32(one, _mm256_madd_epi16(a, b));
    }
  }
  for (const __m256i& one : acc) {
    asm volatile("" ::"x"(one));
  }
}

__attribute__((target("avx512f,avx512vnni"))) void in_vnni_registers(int64_t macs) {
  __m512i acc[kChains] = {}, a = _mm512_set1_epi8(3), b = _mm512_set1_epi8(5);
  for (int64_t done = 0; done < macs; done += 64 * kChains) {
#pragma GCC unroll 12
    for (__m512i& one : acc) {
      asm volatile("vpdpbusd %2, %1, %0" : "+v"(one) : "v"(a), "v"(b));
    }
  }
}

#elif defined(__aarch64__)

__attribute__((target("arch=armv8.2-a+dotprod"))) void in_neon_registers(int64_t macs) {
  int32x4_t acc[kChains] = {};
  int8x16_t a = vdupq_n_s8(3), b = vdupq_n_s8(5);
  for (int64_t done = 0; done < macs; done += 16 * kChains) {
#pragma GCC unroll 12
    for (int32x4_t& one : acc) {
      asm volatile("" : "+w"(a));
      one = vdotq_s32(one, a, b);
    }
  }
  for (const int32x4_t& one : acc) {
    asm volatile("" ::"w"(one));
  }
}

#endif

}  // namespace

void multiply_in_registers(Level level, int64_t macs) {
  switch (level) {
#if defined(__x86_64__)
    case avx2: return in_avx2_registers(macs);
    case vnni: return in_vnni_registers(macs);
#elif defined(__aarch64__)
    case neon: return in_neon_registers(macs);
#endif
    default: return in_plain_registers(macs);
  }
}

}  // namespace hpml::lab5
