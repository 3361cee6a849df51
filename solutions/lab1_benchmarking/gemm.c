// X2: the product of two matrices moves on the roofline. Run: gemm N BLOCK REPS
#define LAB1_USAGE "N BLOCK REPS   (N, BLOCK: 1 to 8192, REPS: 1 to 1000)"
#include "lab1.h"

// C = A B, all n x n, row by row. One sum after the other: nothing that was read is used again.
void mmnaive(long n, long block, const float *A, const float *B, float *C) {
  (void)block;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) {
      float sum = 0.0f;
      for (long k = 0; k < n; k++) {
        sum += A[i * n + k] * B[k * n + j];
      }
      C[i * n + j] = sum;
    }
  }
}

static long smaller(long a, long b) { return a < b ? a : b; }

// Tiles of block x block: each element that is read is used block times before it leaves the cache.
void mmblocked(long n, long block, const float *A, const float *B, float *C) {
  memset(C, 0, (size_t)(n * n) * sizeof(float));
  for (long i0 = 0; i0 < n; i0 += block) {
    for (long k0 = 0; k0 < n; k0 += block) {
      for (long j0 = 0; j0 < n; j0 += block) {
        const long i1 = smaller(i0 + block, n), k1 = smaller(k0 + block, n), j1 = smaller(j0 + block, n);
        for (long i = i0; i < i1; i++) {
          for (long j = j0; j < j1; j++) {
            float sum = C[i * n + j];
            for (long k = k0; k < k1; k++) {
              sum += A[i * n + k] * B[k * n + j];
            }
            C[i * n + j] = sum;
          }
        }
      }
    }
  }
}

// The same tiles, but along rows of B and C: neighbours in memory become lanes of a vector.
void mmvector(long n, long block, const float *restrict A, const float *restrict B, float *restrict C) {
  memset(C, 0, (size_t)(n * n) * sizeof(float));
  for (long i0 = 0; i0 < n; i0 += block) {
    for (long k0 = 0; k0 < n; k0 += block) {
      for (long j0 = 0; j0 < n; j0 += block) {
        const long i1 = smaller(i0 + block, n), k1 = smaller(k0 + block, n), j1 = smaller(j0 + block, n);
        for (long i = i0; i < i1; i++) {
          for (long k = k0; k < k1; k++) {
            const float a = A[i * n + k];
            for (long j = j0; j < j1; j++) {
              C[i * n + j] += a * B[k * n + j];
            }
          }
        }
      }
    }
  }
}

typedef void (*Product)(long n, long block, const float *A, const float *B, float *C);

// FLOP per byte from memory. Naive: two operations on two floats. In tiles: 2 n^3 operations; A and B are read n / b
// times each, C is read and written once: 4 (2 n^3 / b + 2 n^2) bytes.
static double intensity(long n, long b) { return 1.0 / (4.0 / (double)b + 4.0 / (double)n); }

int main(int argc, char **argv) {
  if (argc != 4) {
    lab1_usage(argv[0]);
  }
  const long n = lab1_number(argv[0], argv[1], 1, 8192), block = lab1_number(argv[0], argv[2], 1, 8192);
  const long reps = lab1_number(argv[0], argv[3], 1, 1000);
  float *A = lab1_allocate(n * n, sizeof(float)), *B = lab1_allocate(n * n, sizeof(float));
  float *C = lab1_allocate(n * n, sizeof(float));
  for (long i = 0; i < n * n; i++) {
    A[i] = (float)(i % 5 - 2);
    B[i] = (float)(i % 7 - 3);
    C[i] = 0.0f;
  }
  const Product products[3] = {mmnaive, mmblocked, mmvector};
  const char *const names[3] = {"naive", "blocked", "vector"};
  for (int p = 0; p < 3; p++) {
    int64_t best = INT64_MAX;
    for (long r = 0; r < reps; r++) {
      const int64_t begin = lab1_now_ns();
      products[p](n, block, A, B, C);
      LAB1_KEEP(C);
      const int64_t spent = lab1_now_ns() - begin;
      best = spent < best ? spent : best;
    }
    const double T = (double)best / 1e9, F = 2.0 * (double)n * (double)n * (double)n / T / 1e9;
    const double AI = p == 0 ? 0.25 : intensity(n, smaller(block, n));
    printf("%s: %.9f sec %.6f GFLOP/sec %.6f FLOP/byte\n", names[p], T, F, AI);
  }
  free(C);
  free(B);
  free(A);
  return 0;
}
