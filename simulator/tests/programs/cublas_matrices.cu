// Symmetric and triangular matrices of cuBLAS, sums and scalings of matrices, against the definition, in small whole
// numbers: every result is exact.
#include <cublas_v2.h>

#include <cstdio>
#include <vector>

using M = std::vector<double>;
static const int kM = 5, kN = 4, kLead = 7;  // rows, columns, rows in memory
static cublasHandle_t blas;

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

static M numbers(int seed) {
  M values(kLead * kLead);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>((static_cast<int>(i) * 7 + seed * 3) % 11 - 5);
  }
  return values;
}

// What a stored matrix stands for, row i and column j.
static double triangle(const M& a, bool lower, bool unit, bool transposed, int i, int j) {
  const int r = transposed ? j : i, c = transposed ? i : j;
  if (r == c && unit) {
    return 1;
  }
  return (lower ? r >= c : r <= c) ? a[c * kLead + r] : 0;
}
static double symmetric(const M& a, bool lower, int i, int j) {
  return (lower ? i >= j : i <= j) ? a[j * kLead + i] : a[i * kLead + j];
}

static void triangular_products() {
  int wrong = 0, unsolved = 0;
  const double two = 2, half = 0.5;
  for (int variant = 0; variant < 16; ++variant) {
    const bool left = variant & 1, lower = variant & 2, transposed = variant & 4, unit = variant & 8;
    M a = numbers(variant), b = numbers(variant + 5);
    for (int i = 0; i < kLead; ++i) {
      a[i * kLead + i] = i % 2 ? 1 : -1;  // the solution stays whole
    }
    double *const da = upload(a), *const db = upload(b), *const dc = upload(b);
    const auto side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    const auto fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    const auto op = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    const auto diagonal = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    cublasDtrmm(blas, side, fill, op, diagonal, kM, kN, &two, da, kLead, db, kLead, dc, kLead);
    const M c = download(dc, b.size());
    cublasDtrsm(blas, side, fill, op, diagonal, kM, kN, &half, da, kLead, dc, kLead);
    const M x = download(dc, b.size());
    for (int j = 0; j < kLead; ++j) {
      for (int i = 0; i < kLead; ++i) {
        double sum = 0;
        const bool inside = i < kM && j < kN;
        for (int k = 0; k < (left ? kM : kN); ++k) {
          sum += left ? triangle(a, lower, unit, transposed, i, k) * b[j * kLead + k]
                      : b[k * kLead + i] * triangle(a, lower, unit, transposed, k, j);
        }
        wrong += c[j * kLead + i] != (inside ? 2 * sum : b[j * kLead + i]);
        unsolved += x[j * kLead + i] != b[j * kLead + i];
      }
    }
    cublasDtrmv(blas, fill, op, diagonal, kM, da, kLead, db, -1);
    const M v = download(db, kM);
    for (int i = 0; i < kM; ++i) {
      double sum = 0;
      for (int k = 0; k < kM; ++k) {
        sum += triangle(a, lower, unit, transposed, i, k) * b[kM - 1 - k];
      }
      wrong += v[kM - 1 - i] != sum;
    }
    cublasDtrsv(blas, fill, op, diagonal, kM, da, kLead, db, -1);
    unsolved += download(db, b.size()) != b;
  }
  std::printf("trmm, trmv: %d wrong; trsm, trsv: %d wrong\n", wrong, unsolved);
}

static void symmetric_products() {
  int wrong = 0;
  const double two = 2, three = 3;
  for (int variant = 0; variant < 4; ++variant) {
    const bool left = variant & 1, lower = variant & 2;
    const M a = numbers(1), b = numbers(2), c0 = numbers(3);
    double *const da = upload(a), *const db = upload(b), *const dc = upload(c0);
    const auto side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    const auto fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    cublasDsymm(blas, side, fill, kM, kN, &two, da, kLead, db, kLead, &three, dc, kLead);
    const M c = download(dc, c0.size());
    for (int j = 0; j < kN; ++j) {
      for (int i = 0; i < kM; ++i) {
        double sum = 0;
        for (int k = 0; k < (left ? kM : kN); ++k) {
          sum += left ? symmetric(a, lower, i, k) * b[j * kLead + k] : b[k * kLead + i] * symmetric(a, lower, k, j);
        }
        wrong += c[j * kLead + i] != 2 * sum + 3 * c0[j * kLead + i];
      }
    }
    cublasDsymv(blas, fill, kM, &two, da, kLead, db, 2, &three, dc + kLead, 1);
    const M y = download(dc, c0.size());
    for (int i = 0; i < kM; ++i) {
      double sum = 0;
      for (int k = 0; k < kM; ++k) {
        sum += symmetric(a, lower, i, k) * b[2 * k];
      }
      wrong += y[kLead + i] != 2 * sum + 3 * c[kLead + i];
    }
  }
  std::printf("symm, symv: %d wrong\n", wrong);
}

static void updates() {
  int wrong = 0;
  const double two = 2, three = 3;
  for (int variant = 0; variant < 4; ++variant) {
    const bool transposed = variant & 1, lower = variant & 2;
    const M a = numbers(1), b = numbers(2), c0 = numbers(3);
    double *const da = upload(a), *const db = upload(b), *const one = upload(c0), *const both = upload(c0);
    const auto fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    const auto op = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasDsyrk(blas, fill, op, kM, kN, &two, da, kLead, &three, one, kLead);
    cublasDsyr2k(blas, fill, op, kM, kN, &two, da, kLead, db, kLead, &three, both, kLead);
    const M c1 = download(one, c0.size()), c2 = download(both, c0.size());
    cublasDsyr(blas, fill, kM, &two, da, 1, one, kLead);
    cublasDsyr2(blas, fill, kM, &two, da, 1, db, 1, both, kLead);
    const M r1 = download(one, c0.size()), r2 = download(both, c0.size());
    for (int j = 0; j < kLead; ++j) {
      for (int i = 0; i < kLead; ++i) {
        const int at = j * kLead + i;
        if (i >= kM || j >= kM || (lower ? i < j : i > j)) {
          wrong += c1[at] != c0[at] || c2[at] != c0[at] || r1[at] != c0[at] || r2[at] != c0[at];
          continue;
        }
        double square = 0, cross = 0;
        for (int k = 0; k < kN; ++k) {
          const int l = transposed ? i * kLead + k : k * kLead + i, r = transposed ? j * kLead + k : k * kLead + j;
          square += a[l] * a[r];
          cross += a[l] * b[r] + b[l] * a[r];
        }
        wrong += c1[at] != 2 * square + 3 * c0[at];
        wrong += c2[at] != 2 * cross + 3 * c0[at];
        wrong += r1[at] != c1[at] + 2 * a[i] * a[j];
        wrong += r2[at] != c2[at] + 2 * (a[i] * b[j] + b[i] * a[j]);
      }
    }
  }
  std::printf("syrk, syr2k, syr, syr2: %d wrong\n", wrong);
}

static void element_by_element() {
  int wrong = 0;
  const double two = 2, three = 3;
  const M a = numbers(1), b = numbers(2);
  double *const da = upload(a), *const db = upload(b), *const dc = upload(a), *const dd = upload(a);
  cublasDgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, kM, kN, &two, da, kLead, &three, db, kLead, dc, kLead);
  cublasDdgmm(blas, CUBLAS_SIDE_LEFT, kM, kN, da, kLead, db, 2, dd, kLead);
  const M c = download(dc, a.size()), d = download(dd, a.size());
  for (int j = 0; j < kN; ++j) {
    for (int i = 0; i < kM; ++i) {
      wrong += c[j * kLead + i] != 2 * a[i * kLead + j] + 3 * b[j * kLead + i];
      wrong += d[j * kLead + i] != a[j * kLead + i] * b[2 * i];
    }
  }
  const int refused = cublasDgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, kM, kM, &two, da, kLead, &three, db, kLead, da, kLead);
  cublasDrot(blas, kM, da, 1, db, 1, &two, &three);
  const M x = download(da, kM), y = download(db, kM);
  for (int i = 0; i < kM; ++i) {
    wrong += x[i] != 2 * a[i] + 3 * b[i] || y[i] != 2 * b[i] - 3 * a[i];
  }
  std::printf("geam, dgmm, rot: %d wrong; transposed in place: %d\n", wrong, refused);
}

static void single_precision() {
  const std::vector<float> a{2, 1, 0, 4}, b{4, 6};  // lower: x0 = 4 / 2, x1 = (6 - x0) / 4
  float *da = nullptr, *db = nullptr, x[2];
  const float one = 1;
  cudaMalloc(&da, sizeof(float) * 4);
  cudaMalloc(&db, sizeof(float) * 2);
  cudaMemcpy(da, a.data(), sizeof(float) * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), sizeof(float) * 2, cudaMemcpyHostToDevice);
  cublasStrsm(blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 1, &one, da, 2, db,
              2);
  cudaMemcpy(x, db, sizeof x, cudaMemcpyDeviceToHost);
  std::printf("float: %g %g\n", x[0], x[1]);
}

int main() {
  cublasCreate(&blas);
  triangular_products();
  symmetric_products();
  updates();
  element_by_element();
  single_precision();
  cublasDestroy(blas);
  return 0;
}
