// Complex matrices and vectors of cuBLAS against the definition, in small whole numbers: every result is exact.
#include <cublas_v2.h>

#include <complex>
#include <cstdio>
#include <vector>

using Z = std::complex<double>;
using M = std::vector<Z>;
static const int kN = 6;
static cublasHandle_t blas;

static cuDoubleComplex* upload(const M& host) {
  cuDoubleComplex* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(Z));
  cudaMemcpy(device, host.data(), host.size() * sizeof(Z), cudaMemcpyHostToDevice);
  return device;
}
static M download(const cuDoubleComplex* device, size_t count) {
  M host(count);
  cudaMemcpy(host.data(), device, count * sizeof(Z), cudaMemcpyDeviceToHost);
  return host;
}
static Z& at(M& a, int i, int j) { return a[j * kN + i]; }
static M made(int seed) {
  M a(kN * kN);
  for (int i = 0; i < kN * kN; ++i) {
    a[i] = Z((i * seed) % 7 - 3, (i + seed) % 5 - 2);
  }
  return a;
}
static M turned(M a, int op) {  // 0 as it is, 1 transposed, 2 adjoint
  M out(a);
  for (int i = 0; i < kN && op != 0; ++i) {
    for (int j = 0; j < kN; ++j) {
      at(out, j, i) = op == 2 ? conj(at(a, i, j)) : at(a, i, j);
    }
  }
  return out;
}
static M product(M a, M b) {
  M out(kN * kN);
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) {
      for (int k = 0; k < kN; ++k) {
        at(out, i, j) += at(a, i, k) * at(b, k, j);
      }
    }
  }
  return out;
}
static M sum(Z x, const M& a, Z y, const M& b) {
  M out(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    out[i] = x * a[i] + y * b[i];
  }
  return out;
}
// The differences; with a triangle (0 lower, 1 upper) only there.
static int differing(M got, M expected, int fill = 2) {
  int count = 0;
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) {
      count += (fill == 2 || (fill == 0 ? i >= j : i <= j)) && at(got, i, j) != at(expected, i, j);
    }
  }
  return count;
}
static M triangle(M a, bool lower, bool unit) {
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) {
      at(a, i, j) = i == j && unit ? Z(1) : (lower ? i >= j : i <= j) ? at(a, i, j) : Z(0);
    }
  }
  return a;
}
static M hermitian(M a, bool lower) {
  M out(a);
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) {
      at(out, i, j) = i == j ? Z(at(a, i, i).real()) : (lower ? i > j : i < j) ? at(a, i, j) : conj(at(a, j, i));
    }
  }
  return out;
}

int main() {
  cublasCreate(&blas);
  const M a = made(3), b = made(4), c = made(5);
  const cuDoubleComplex alpha = {2, 1}, beta = {0, -1}, one = {1, 0}, zero = {0, 0};
  const double two = 2, three = 3;
  const Z za(2, 1), zb(0, -1);
  cuDoubleComplex *da = upload(a), *db = upload(b), *dc = nullptr;

  int wrong = 0;
  for (int x = 0; x < 3; ++x) {
    for (int y = 0; y < 3; ++y) {
      dc = upload(c);
      cublasZgemm(blas, (cublasOperation_t)x, (cublasOperation_t)y, kN, kN, kN, &alpha, da, kN, db, kN, &beta, dc, kN);
      wrong += differing(download(dc, kN * kN), sum(za, product(turned(a, x), turned(b, y)), zb, c));
    }
  }
  printf("gemm: %d wrong\n", wrong);

  dc = upload(c);
  cublasZherk(blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C, kN, kN, &two, da, kN, &three, dc, kN);
  const M hermitian_c = hermitian(c, true);
  wrong = differing(download(dc, kN * kN), sum(2, product(turned(a, 2), a), 3, hermitian_c), 0);
  dc = upload(c);
  cublasZher2k(blas, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, kN, kN, &alpha, da, kN, db, kN, &two, dc, kN);
  const M both = sum(za, product(a, turned(b, 2)), conj(za), product(b, turned(a, 2)));
  wrong += differing(download(dc, kN * kN), sum(1, both, 2, hermitian(c, false)), 1);
  dc = upload(c);
  cublasZhemm(blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, kN, kN, &alpha, da, kN, db, kN, &beta, dc, kN);
  wrong += differing(download(dc, kN * kN), sum(za, product(b, hermitian(a, false)), zb, c));
  printf("herk, her2k, hemm: %d wrong\n", wrong);

  wrong = 0;
  for (int side = 0; side < 2; ++side) {  // what trmm has made, trsm takes back
    for (int op = 0; op < 3; ++op) {
      dc = upload(b);
      cublasZtrmm(blas, (cublasSideMode_t)side, CUBLAS_FILL_MODE_LOWER, (cublasOperation_t)op, CUBLAS_DIAG_UNIT, kN, kN,
                  &one, da, kN, dc, kN, dc, kN);
      const M t = turned(triangle(a, true, true), op);
      wrong += differing(download(dc, kN * kN), side == 0 ? product(t, b) : product(b, t));
      cublasZtrsm(blas, (cublasSideMode_t)side, CUBLAS_FILL_MODE_LOWER, (cublasOperation_t)op, CUBLAS_DIAG_UNIT, kN, kN,
                  &one, da, kN, dc, kN);
      wrong += differing(download(dc, kN * kN), b);
    }
  }
  printf("trmm, trsm: %d wrong\n", wrong);

  dc = upload(c);
  cublasZgeam(blas, CUBLAS_OP_C, CUBLAS_OP_T, kN, kN, &alpha, da, kN, &beta, db, kN, dc, kN);
  wrong = differing(download(dc, kN * kN), sum(za, turned(a, 2), zb, turned(b, 1)));
  printf("geam: %d wrong\n", wrong);

  M x(a.begin(), a.begin() + kN), y(b.begin(), b.begin() + kN), expected(kN);
  dc = upload(y);
  cublasZgemv(blas, CUBLAS_OP_C, kN, kN, &alpha, db, kN, da, 1, &beta, dc, 1);
  const M adjoint = turned(b, 2);
  wrong = 0;
  const M got = download(dc, kN);
  for (int i = 0; i < kN; ++i) {
    Z s = 0;
    for (int k = 0; k < kN; ++k) {
      s += adjoint[k * kN + i] * x[k];
    }
    wrong += got[i] != za * s + zb * y[i];
  }
  dc = upload(c);
  cublasZgerc(blas, kN, kN, &alpha, da, 1, db, 1, dc, kN);
  M updated = c;
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) {
      at(updated, i, j) += za * x[i] * conj(y[j]);
    }
  }
  wrong += differing(download(dc, kN * kN), updated);
  printf("gemv, gerc: %d wrong\n", wrong);

  cuDoubleComplex dot, plain;
  double norm, size;
  int largest;
  const cuDoubleComplex v[3] = {{3, 4}, {0, 12}, {-1, 0}};
  dc = upload(M{{3, 4}, {0, 12}, {-1, 0}});
  cublasZdotc(blas, 3, dc, 1, dc, 1, &dot);
  cublasZdotu(blas, 3, dc, 1, dc, 1, &plain);
  cublasDznrm2(blas, 2, dc, 1, &norm);
  cublasDzasum(blas, 3, dc, 1, &size);
  cublasIzamax(blas, 3, dc, 1, &largest);
  printf("dot %g%+gi %g%+gi norm %g sum %g largest %d (%g)\n", dot.x, dot.y, plain.x, plain.y, norm, size, largest,
         v[largest - 1].y);
  cublasZdscal(blas, 3, &two, dc, 1);
  cublasZaxpy(blas, 3, &beta, dc, 1, dc, 1);
  const M scaled = download(dc, 3);
  printf("scaled %g%+gi %g%+gi\n", scaled[0].real(), scaled[0].imag(), scaled[2].real(), scaled[2].imag());

  const cuComplex i_of_c = {0, 1}, zero_of_c = {0, 0};
  const cuComplex ones[4] = {{1, 0}, {0, 1}, {2, 0}, {0, 2}};
  cuComplex *dx = nullptr, result[2];
  cudaMalloc(&dx, 2 * sizeof ones);
  cudaMemcpy(dx, ones, sizeof ones, cudaMemcpyHostToDevice);
  cublasCgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_C, 1, 1, 2, &i_of_c, dx, 1, 2, dx, 1, 2, &zero_of_c, dx + 4, 1,
                            1, 2);
  cudaMemcpy(result, dx + 4, sizeof result, cudaMemcpyDeviceToHost);
  printf("batch %g%+gi %g%+gi\n", result[0].x, result[0].y, result[1].x, result[1].y);
  printf("no handle %d, bad leading dimension %d\n",
         cublasZgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, da, 1, db, 1, &zero, dc, 1),
         cublasZgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 1, 1, &one, da, 1, db, 1, &zero, dc, 4));
  return cublasDestroy(blas);
}
