// Linear systems, eigenvalues and singular values of cuSOLVER, against what they are defined by, within the rounding of
// double.
#include <cusolverDn.h>

#include <cmath>
#include <cstdio>
#include <vector>

using M = std::vector<double>;
static const int kN = 10;
static cusolverDnHandle_t solver;
static int *pivots, *info;
static double* work;

// As much as the next call asks for.
static void make_room(int size) {
  cudaFree(work);
  cudaMalloc(&work, static_cast<size_t>(size > 0 ? size : 1) * sizeof(double));
}

static double* upload(const M& host) {
  double* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(double));
  cudaMemcpy(device, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice);
  return device;
}
static M download(const double* device, size_t count) {
  M host(count);
  cudaMemcpy(host.data(), device, count * sizeof(double), cudaMemcpyDeviceToHost);
  return host;
}
static int information() {
  int value = -1;
  cudaMemcpy(&value, info, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}
static void say(const char* what, double error) {
  printf("%s: %s, info %d\n", what, error < 1e-11 ? "right" : "wrong", information());
}
// The largest of |A x - b|.
static double residual(const M& a, const M& x, const M& b) {
  double worst = 0;
  for (int i = 0; i < kN; ++i) {
    double sum = -b[i];
    for (int j = 0; j < kN; ++j) {
      sum += a[j * kN + i] * x[j];
    }
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

static void systems(const M& a, const M& positive, const M& b) {
  int size = 0, more = 0;
  double *da = upload(a), *x = upload(b);
  cusolverDnDgetrf_bufferSize(solver, kN, kN, da, kN, &size);
  make_room(size);
  cusolverDnDgetrf(solver, kN, kN, da, kN, work, pivots, info);
  cusolverDnDgetrs(solver, CUBLAS_OP_N, kN, 1, da, kN, pivots, x, kN, info);
  say("LU", residual(a, download(x, kN), b));

  da = upload(positive);
  x = upload(b);
  cusolverDnDpotrf_bufferSize(solver, CUBLAS_FILL_MODE_UPPER, kN, da, kN, &size);
  make_room(size);
  cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_UPPER, kN, da, kN, work, size, info);
  cusolverDnDpotrs(solver, CUBLAS_FILL_MODE_UPPER, kN, 1, da, kN, x, kN, info);
  say("Cholesky", residual(positive, download(x, kN), b));

  da = upload(a);
  x = upload(b);
  double* tau = upload(M(kN));
  cusolverDnDgeqrf_bufferSize(solver, kN, kN, da, kN, &size);
  cusolverDnDormqr_bufferSize(solver, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, kN, 1, kN, da, kN, tau, x, kN, &more);
  size = size > more ? size : more;
  make_room(size);
  cusolverDnDgeqrf(solver, kN, kN, da, kN, tau, work, size, info);
  cusolverDnDormqr(solver, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, kN, 1, kN, da, kN, tau, x, kN, work, size, info);
  const M r = download(da, kN * kN);
  M y = download(x, kN);
  for (int i = kN - 1; i >= 0; --i) {
    for (int j = i + 1; j < kN; ++j) {
      y[i] -= r[j * kN + i] * y[j];
    }
    y[i] /= r[i * kN + i];
  }
  say("QR", residual(a, y, b));
  cusolverDnDorgqr_bufferSize(solver, kN, kN, kN, da, kN, tau, &size);
  make_room(size);
  cusolverDnDorgqr(solver, kN, kN, kN, da, kN, tau, work, size, info);
  const M q = download(da, kN * kN);
  double worst = 0;
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) {
      double sum = i == j ? -1 : 0;
      for (int k = 0; k < kN; ++k) {
        sum += q[i * kN + k] * q[j * kN + k];
      }
      worst = fmax(worst, fabs(sum));
    }
  }
  say("Q", worst);
}

// The largest of |A v - w B v| over all pairs; B may be the identity.
static double pairs(const M& a, const M* b, const M& v, const M& w) {
  double worst = 0;
  for (int k = 0; k < kN; ++k) {
    for (int i = 0; i < kN; ++i) {
      double sum = b != nullptr ? 0 : -w[k] * v[k * kN + i];
      for (int j = 0; j < kN; ++j) {
        sum += (a[j * kN + i] - (b != nullptr ? w[k] * (*b)[j * kN + i] : 0)) * v[k * kN + j];
      }
      worst = fmax(worst, fabs(sum));
    }
  }
  return worst;
}

static void spectra(const M& a, const M& positive) {
  M symmetric(kN * kN);
  for (int i = 0; i < kN * kN; ++i) {
    symmetric[i] = a[i] + a[i % kN * kN + i / kN];
  }
  int size = 0;
  double *da = upload(symmetric), *w = upload(M(kN));
  cusolverDnDsyevd_bufferSize(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, kN, da, kN, w, &size);
  make_room(size);
  cusolverDnDsyevd(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, kN, da, kN, w, work, size, info);
  say("eigenvalues", pairs(symmetric, nullptr, download(da, kN * kN), download(w, kN)));
  da = upload(symmetric);
  double* db = upload(positive);
  cusolverDnDsygvd_bufferSize(solver, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, kN, da, kN,
                              db, kN, w, &size);
  make_room(size);
  cusolverDnDsygvd(solver, CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, kN, da, kN, db, kN, w,
                   work, size, info);
  say("of two matrices", pairs(symmetric, &positive, download(da, kN * kN), download(w, kN)));

  const int m = 2 * kN;  // a taller matrix: A over itself reversed
  M tall(m * kN);
  for (int j = 0; j < kN; ++j) {
    for (int i = 0; i < kN; ++i) {
      tall[j * m + i] = a[j * kN + i];
      tall[j * m + m - 1 - i] = a[j * kN + i] / 2;
    }
  }
  double *dt = upload(tall), *s = upload(M(kN)), *u = upload(M(m * m)), *v = upload(M(kN * kN));
  cusolverDnDgesvd_bufferSize(solver, m, kN, &size);
  make_room(size);
  cusolverDnDgesvd(solver, 'A', 'A', m, kN, dt, m, s, u, m, v, kN, work, size, nullptr, info);
  const M hu = download(u, m * m), hs = download(s, kN), hv = download(v, kN * kN);
  double worst = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < kN; ++j) {
      double sum = -tall[j * m + i];
      for (int k = 0; k < kN; ++k) {
        sum += hu[k * m + i] * hs[k] * hv[j * kN + k];
      }
      worst = fmax(worst, fabs(sum));
    }
    for (int j = 0; j < m; ++j) {
      double sum = i == j ? -1 : 0;
      for (int k = 0; k < m; ++k) {
        sum += hu[i * m + k] * hu[j * m + k];
      }
      worst = fmax(worst, fabs(sum));
    }
  }
  say("singular values", worst);
}

int main() {
  cusolverDnCreate(&solver);
  cudaMalloc(&pivots, kN * sizeof(int));
  cudaMalloc(&info, sizeof(int));
  M a(kN * kN), positive(kN * kN), b(kN);
  for (int j = 0; j < kN; ++j) {
    b[j] = j - 3;
    for (int i = 0; i < kN; ++i) {
      a[j * kN + i] = (i * 7 + j * 3) % 11 - 5 + (i == (j + 1) % kN ? 9 : 0);
      positive[j * kN + i] = 1.0 / (1 + abs(i - j)) + (i == j ? 2 : 0);
    }
  }
  systems(a, positive, b);
  spectra(a, positive);

  double* singular = upload(M(kN * kN, 1.0));
  int size = 0;
  cusolverDnDgetrf_bufferSize(solver, kN, kN, singular, kN, &size);
  make_room(size);
  cusolverDnDgetrf(solver, kN, kN, singular, kN, work, pivots, info);
  printf("singular: info %d\n", information());
  cusolverDnDpotrf_bufferSize(solver, CUBLAS_FILL_MODE_LOWER, kN, singular, kN, &size);
  make_room(size);
  cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_LOWER, kN, upload(M(kN * kN, 1.0)), kN, work, size, info);
  printf("not positive: info %d\n", information());
  fflush(stdout);  // the real library may stop the program without a handle
  printf("no handle %d, bad size %d\n", cusolverDnDpotrf(nullptr, CUBLAS_FILL_MODE_LOWER, 1, singular, 1, work, 1, info),
         cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_LOWER, -1, singular, 1, work, 1, info));
  return cusolverDnDestroy(solver);
}
