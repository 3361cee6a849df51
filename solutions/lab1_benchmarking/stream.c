// E1: the bandwidth of the memory, after McCalpin's STREAM. Run: stream BYTES REPS [--times FILE]
#define LAB1_USAGE "BYTES REPS [--times FILE]   (BYTES of each array: 8 to 2^40, REPS: 2 to 1000000)"
#include "lab1.h"

// Not static: the grader also calls them, on arrays of its own, which do not overlap.
void copy(long n, double *c, const double *a);
void scale(long n, double k, double *b, const double *c);
void add(long n, double *c, const double *a, const double *b);
void triad(long n, double k, double *a, const double *b, const double *c);

// Not inlined: the compiler must not see that a round overwrites what the round before has computed.
#define KERNEL __attribute__((noinline)) void

KERNEL copy(long n, double *restrict c, const double *restrict a) {
  for (long i = 0; i < n; i++) {
    c[i] = a[i];
  }
}

KERNEL scale(long n, double k, double *restrict b, const double *restrict c) {
  for (long i = 0; i < n; i++) {
    b[i] = k * c[i];
  }
}

KERNEL add(long n, double *restrict c, const double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; i++) {
    c[i] = a[i] + b[i];
  }
}

KERNEL triad(long n, double k, double *restrict a, const double *restrict b, const double *restrict c) {
  for (long i = 0; i < n; i++) {
    a[i] = b[i] + k * c[i];
  }
}

static void round_of(long n, double *a, double *b, double *c, int64_t *ns) {
  const double k = 3.0;
  int64_t at[5];
  at[0] = lab1_now_ns();
  copy(n, c, a);
  at[1] = lab1_now_ns();
  scale(n, k, b, c);
  at[2] = lab1_now_ns();
  add(n, c, a, b);
  at[3] = lab1_now_ns();
  triad(n, k, a, b, c);
  at[4] = lab1_now_ns();
  for (int kernel = 0; kernel < 4; kernel++) {
    ns[kernel] = at[kernel + 1] - at[kernel];
  }
}

int main(int argc, char **argv) {
  if (argc != 3 && !(argc == 5 && strcmp(argv[3], "--times") == 0)) {
    lab1_usage(argv[0]);
  }
  const long n = lab1_number(argv[0], argv[1], 8, LAB1_MAX_N) / 8;
  const long reps = lab1_number(argv[0], argv[2], 2, LAB1_MAX_REPS);
  double *a = lab1_allocate(n, sizeof(double)), *b = lab1_allocate(n, sizeof(double));
  double *c = lab1_allocate(n, sizeof(double));
  int64_t *ns = lab1_allocate(4 * reps, sizeof(int64_t));
  for (long i = 0; i < n; i++) {
    a[i] = 1.0;
    b[i] = 2.0;
    c[i] = 0.0;
  }
  for (long r = 0; r < reps; r++) {
    round_of(n, a, b, c, ns + 4 * r);
  }
  if (argc == 5) {
    lab1_save(argv[4], ns, 4 * reps);
  }
  const char *const names[4] = {"Copy", "Scale", "Add", "Triad"};
  const double bytes[4] = {16.0, 16.0, 24.0, 24.0};
  for (int kernel = 0; kernel < 4; kernel++) {
    int64_t best = ns[4 + kernel];
    for (long r = 2; r < reps; r++) {
      best = ns[4 * r + kernel] < best ? ns[4 * r + kernel] : best;
    }
    printf("%s: %.3f GB/s\n", names[kernel], bytes[kernel] * (double)n / (double)best);
  }
  printf("Check: %.15g\n", a[0] + b[0] + c[0]);
  free(ns);
  free(c);
  free(b);
  free(a);
  return 0;
}
