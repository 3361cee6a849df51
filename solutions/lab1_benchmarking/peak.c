// E2: how many floating-point operations per second. Run: peak CORES GHZ FLOP_PER_CYCLE
#define LAB1_USAGE "CORES GHZ FLOP_PER_CYCLE   (positive numbers: [e2] of answers.toml)"
#include "lab1.h"

static double positive(const char *program, const char *text) {
  char *end = NULL;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0' || !(value > 0.0 && value < 1e9)) {
    lab1_usage(program);
  }
  return value;
}

enum { WAYS = 12 };  // 4 cycles of latency times 2 instructions per cycle, and some to spare

// sums = sums * factor + step, WAYS vectors side by side; FMA names the fused operation of the level.
#define PEAK(name, level, Vector, SET, FMA, REDUCE)                    \
  level __attribute__((noinline)) static float name(long rounds) {     \
    Vector sums[WAYS], factor = SET(0.999999f), step = SET(0.000001f); \
    for (int way = 0; way < WAYS; way++) {                             \
      sums[way] = SET((float)way);                                     \
    }                                                                  \
    for (long round = 0; round < rounds; round++) {                    \
      for (int way = 0; way < WAYS; way++) {                           \
        sums[way] = FMA(sums[way], factor, step);                      \
      }                                                                \
    }                                                                  \
    float total = 0.0f;                                                \
    for (int way = 0; way < WAYS; way++) {                             \
      total += REDUCE(sums[way]);                                      \
    }                                                                  \
    return total;                                                      \
  }

#if defined(__x86_64__)
#include <immintrin.h>
#define SSE_FMA(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)  // no fused operation: two instructions
#define AVX_FIRST(v) _mm256_cvtss_f32(v)
#define AVX512_FIRST(v) _mm512_cvtss_f32(v)
PEAK(peak_sse, , __m128, _mm_set1_ps, SSE_FMA, _mm_cvtss_f32)
PEAK(peak_avx2, __attribute__((target("avx2,fma"))), __m256, _mm256_set1_ps, _mm256_fmadd_ps, AVX_FIRST)
PEAK(peak_avx512, __attribute__((target("avx512f"))), __m512, _mm512_set1_ps, _mm512_fmadd_ps, AVX512_FIRST)
#elif defined(__aarch64__)
#include <arm_neon.h>
#define NEON_FMA(a, b, c) vfmaq_f32(c, a, b)
PEAK(peak_neon, , float32x4_t, vdupq_n_f32, NEON_FMA, vaddvq_f32)
#else
#define ONE(x) (x)
#define PLAIN_FMA(a, b, c) ((a) * (b) + (c))
PEAK(peak_plain, , float, ONE, PLAIN_FMA, ONE)
#endif

typedef struct {
  float (*run)(long rounds);
  int lanes;
} Level;

static Level widest(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    return (Level){peak_avx512, 16};
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return (Level){peak_avx2, 8};
  }
  return (Level){peak_sse, 4};
#elif defined(__aarch64__)
  return (Level){peak_neon, 4};
#else
  return (Level){peak_plain, 1};
#endif
}

// The best of many short bursts: a burst that nobody disturbed is what the core can do.
static double measure(void) {
  const Level level = widest();
  const long rounds = 20000;
  const double flop = 2.0 * level.lanes * WAYS * (double)rounds;
  double best = 0.0;
  for (int burst = 0; burst < 500; burst++) {
    const int64_t begin = lab1_now_ns();
    float result = level.run(rounds);
    LAB1_KEEP(&result);
    const double rate = flop / (double)(lab1_now_ns() - begin);
    best = rate > best ? rate : best;
  }
  return best;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    lab1_usage(argv[0]);
  }
  const double cores = positive(argv[0], argv[1]), ghz = positive(argv[0], argv[2]);
  const double flop_per_cycle = positive(argv[0], argv[3]);
  printf("Formula: %.3f GFLOP/s\n", cores * ghz * flop_per_cycle);
  printf("Measured: %.3f GFLOP/s\n", measure());
  return 0;
}
