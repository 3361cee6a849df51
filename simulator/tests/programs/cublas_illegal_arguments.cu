// Arguments that BLAS does not allow: cuBLAS returns CUBLAS_STATUS_INVALID_VALUE and names the first of them on stdout, with
// its number as in BLAS; of gemv and symv in silence.
#include <cublas_v2.h>

#include "check.cuh"

static const auto kAsIs = CUBLAS_OP_N;
static const auto kUpper = CUBLAS_FILL_MODE_UPPER;
static const auto kLeft = CUBLAS_SIDE_LEFT;
static const auto kPlain = CUBLAS_DIAG_NON_UNIT;

static void say(int status) { printf("%d\n", status); }

int main() {
  cublasHandle_t blas;
  cublasCreate(&blas);
  auto* a = device_array<double>(64);
  auto* b = device_array<double>(64);
  auto* c = device_array<double>(64);
  auto *za = reinterpret_cast<cuDoubleComplex*>(a), *zb = reinterpret_cast<cuDoubleComplex*>(b), *zc = reinterpret_cast<cuDoubleComplex*>(c);
  const double one = 1;
  const cuDoubleComplex zone = make_cuDoubleComplex(1, 0);
  say(cublasDgemm(blas, kAsIs, kAsIs, 3, -1, 3, &one, a, 3, b, 3, &one, c, 3));
  say(cublasDgemm(blas, kAsIs, CUBLAS_OP_T, 3, 4, 3, &one, a, 3, b, 3, &one, c, 3));
  say(cublasDgemm(blas, kAsIs, kAsIs, 3, 3, 3, &one, a, 3, b, 3, &one, c, 2));
  say(cublasZgemm(blas, kAsIs, kAsIs, 3, 3, -3, &zone, za, 3, zb, 3, &zone, zc, 3));
  say(cublasDgemv(blas, kAsIs, 3, 3, &one, a, 2, b, 1, &one, c, 1));
  say(cublasDger(blas, 3, 3, &one, a, 1, b, 1, c, 2));
  say(cublasDsymm(blas, kLeft, kUpper, 3, 2, &one, a, 2, b, 3, &one, c, 3));
  say(cublasDsyrk(blas, kUpper, kAsIs, 3, 2, &one, a, 3, &one, c, 2));
  say(cublasDsyr2k(blas, kUpper, kAsIs, 3, 2, &one, a, 3, b, 2, &one, c, 3));
  say(cublasZherk(blas, kUpper, kAsIs, 3, -2, &one, za, 3, &one, zc, 3));
  say(cublasDsymv(blas, kUpper, 3, &one, a, 3, b, 1, &one, c, 0));
  say(cublasDsyr(blas, kUpper, 3, &one, b, 1, a, 2));
  say(cublasDtrmm(blas, kLeft, kUpper, kAsIs, kPlain, 3, 2, &one, a, 2, b, 3, c, 3));
  say(cublasDtrsm(blas, kLeft, kUpper, kAsIs, kPlain, 3, 2, &one, a, 3, b, 2));
  say(cublasDtrsv(blas, kUpper, kAsIs, kPlain, 3, a, 3, b, 0));
  say(cublasDgbmv(blas, kAsIs, 3, 3, 1, -1, &one, a, 3, b, 1, &one, c, 1));
  say(cublasDgbmv(blas, kAsIs, 3, 3, 1, 1, &one, a, 2, b, 1, &one, c, 1));
  say(cublasDsbmv(blas, kUpper, 3, 1, &one, a, 2, b, 0, &one, c, 1));
  say(cublasDspmv(blas, kUpper, 3, &one, a, b, 1, &one, c, 0));
  say(cublasDtbmv(blas, kUpper, kAsIs, kPlain, 3, 2, a, 2, b, 1));
  say(cublasDtpsv(blas, kUpper, kAsIs, kPlain, 3, a, b, 0));
  say(cublasDspr(blas, kUpper, 3, &one, b, 0, a));
  cublasDestroy(blas);
  return 0;
}
