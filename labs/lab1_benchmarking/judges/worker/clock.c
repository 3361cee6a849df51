// The library lab1_clock, laid over a student's program: each reading of a clock is 1 to 9 ms after the one before, by
// a seeded rule. Times of such a run depend on nothing but the seed, and spread enough to tell one mean from another.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static uint64_t state, now_ns = 1000000000000ULL;

__attribute__((constructor)) static void start(void) {
  const char *seed = getenv("LAB1_CLOCK_SEED");
  state = seed == NULL ? 1 : strtoull(seed, NULL, 10) | 1;
}

static uint64_t tick(void) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth, TAOCP 2, 3.3.4: MMIX
  now_ns += 1000000 + (state >> 33) % 8000000;
  return now_ns;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
  (void)clock;
  const uint64_t ns = tick();
  out->tv_sec = (time_t)(ns / 1000000000);
  out->tv_nsec = (long)(ns % 1000000000);
  return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  (void)zone;
  const uint64_t ns = tick();
  out->tv_sec = (time_t)(ns / 1000000000);
  out->tv_usec = (suseconds_t)(ns % 1000000000 / 1000);
  return 0;
}
