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

enum { VALUES = 192 };  // as many floats as twelve of the widest vectors hold; x begins at a multiple of 64 bytes

// x[i] = x[i] * factor + step, `rounds` times, for each of the VALUES numbers x. Not static: the grader also calls it, with
// numbers of its own.
void peak(long rounds, float factor, float step, float *x);

enum { WAYS = 12 };  // 4 cycles of latency times 2 instructions per cycle, and some to spare

// WAYS vectors side by side, in registers for all rounds; FMA names the fused operation of the level.
#define PEAK(name, level, Vector, LOAD, STORE, SET, FMA)                                          \
  level static void name(long rounds, float factor, float step, float *x) {                       \
    enum { LANES = sizeof(Vector) / sizeof(float) };                                              \
    const Vector factors = SET(factor), steps = SET(step);                                        \
    for (float *first = x; first < x + VALUES; first += WAYS * LANES) {                           \
      Vector values[WAYS];                                                                        \
      for (int way = 0; way < WAYS; way++) {                                                      \
        values[way] = LOAD(first + way * LANES);                                                  \
      }                                                                                           \
      for (long round = 0; round < rounds; round++) {                                             \
        for (int way = 0; way < WAYS; way++) {                                                    \
          values[way] = FMA(values[way], factors, steps);                                         \
        }                                                                                         \
      }                                                                                           \
      for (int way = 0; way < WAYS; way++) {                                                      \
        STORE(first + way * LANES, values[way]);                                                  \
      }                                                                                           \
    }                                                                                             \
  }

#if defined(__x86_64__)
#include <immintrin.h>
#define SSE_FMA(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)  // no fused operation: two instructions
PEAK(peak_sse, , __m128, _mm_loadu_ps, _mm_storeu_ps, _mm_set1_ps, SSE_FMA)
PEAK(peak_avx2, __attribute__((target("avx2,fma"))), __m256, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps, _mm256_fmadd_ps)
PEAK(peak_avx512, __attribute__((target("avx512f"))), __m512, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_set1_ps, _mm512_fmadd_ps)
#elif defined(__aarch64__)
#include <arm_neon.h>
#define NEON_FMA(a, b, c) vfmaq_f32(c, a, b)
PEAK(peak_neon, , float32x4_t, vld1q_f32, vst1q_f32, vdupq_n_f32, NEON_FMA)
#else
#define ONE(x) (x)
#define GET(from) (*(from))
#define PUT(to, value) (*(to) = (value))
#define PLAIN_FMA(a, b, c) ((a) * (b) + (c))
PEAK(peak_plain, , float, GET, PUT, ONE, PLAIN_FMA)
#endif

void peak(long rounds, float factor, float step, float *x) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    peak_avx512(rounds, factor, step, x);
  } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    peak_avx2(rounds, factor, step, x);
  } else {
    peak_sse(rounds, factor, step, x);
  }
#elif defined(__aarch64__)
  peak_neon(rounds, factor, step, x);
#else
  peak_plain(rounds, factor, step, x);
#endif
}

// The best of many short bursts: a burst that nobody disturbed is what the core can do.
static double measure(void) {
  const long rounds = 20000;
  const double flop = 2.0 * VALUES * (double)rounds;
  static _Alignas(64) float x[VALUES];
  double best = 0.0;
  for (int burst = 0; burst < 500; burst++) {
    for (int i = 0; i < VALUES; i++) {
      x[i] = (float)i;
    }
    const int64_t begin = lab1_now_ns();
    peak(rounds, 0.999999f, 0.000001f, x);
    LAB1_KEEP(x);
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
