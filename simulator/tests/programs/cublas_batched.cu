// Factorisations of many small matrices, against what they are defined by: products of the factors, inverses and least
// squares, within the rounding of double.
#include <cublas_v2.h>

#include <cmath>
#include <cstdio>
#include <vector>

using M = std::vector<double>;
static const int kBatch = 3, kN = 5, kM = 7, kLead = 8, kRight = 2;
static cublasHandle_t blas;

static double number(int which, int i, int j) {
  return ((i * 7 + j * 5 + which * 3 + i * j) % 11 - 5) + (i == j ? 9 : 0);
}

// Matrices in device memory, one after another, and the list of pointers to them.
struct Batch {
  int rows, columns;
  double* data = nullptr;
  double** list = nullptr;

  Batch(int rows_, int columns_, bool filled) : rows(rows_), columns(columns_) {
    M host(kBatch * kLead * columns, -77.0);
    double* pointers[kBatch];
    cudaMalloc(&data, host.size() * sizeof(double));
    cudaMalloc(&list, sizeof(pointers));
    for (int b = 0; b < kBatch; ++b) {
      pointers[b] = data + b * kLead * columns;
      for (int j = 0; filled && j < columns; ++j) {
        for (int i = 0; i < rows; ++i) {
          host[(b * columns + j) * kLead + i] = number(b + columns, i, j);
        }
      }
    }
    cudaMemcpy(data, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(list, pointers, sizeof(pointers), cudaMemcpyHostToDevice);
  }
  M values() const {
    M host(kBatch * kLead * columns);
    cudaMemcpy(host.data(), data, host.size() * sizeof(double), cudaMemcpyDeviceToHost);
    return host;
  }
};

static int* device_integers(int count) {
  int* out = nullptr;
  cudaMalloc(&out, count * sizeof(int));
  cudaMemset(out, 0x55, count * sizeof(int));
  return out;
}

static std::vector<int> host_integers(const int* from, int count) {
  std::vector<int> out(count);
  cudaMemcpy(out.data(), from, count * sizeof(int), cudaMemcpyDeviceToHost);
  return out;
}

static double at(const M& all, const Batch& shape, int b, int i, int j) {
  return all[(b * shape.columns + j) * kLead + i];
}

static bool near(double a, double b) { return std::fabs(a - b) < 1e-9 * (1 + std::fabs(b)); }

// op(A) X = B, with the matrices as they were filled.
static bool solves(const Batch& a, const M& x, const Batch& right, bool transposed) {
  bool good = true;
  for (int b = 0; b < kBatch; ++b) {
    for (int i = 0; i < kN; ++i) {
      for (int j = 0; j < right.columns; ++j) {
        double sum = 0;
        for (int k = 0; k < kN; ++k) {
          sum += (transposed ? number(b + a.columns, k, i) : number(b + a.columns, i, k)) * at(x, right, b, k, j);
        }
        good = good && near(sum, number(b + right.columns, i, j));
      }
    }
  }
  return good;
}

static void lu() {
  Batch a(kN, kN, true), x(kN, kRight, true), y(kN, kRight, true), inverse(kN, kN, false);
  int *pivots = device_integers(kBatch * kN), *info = device_integers(kBatch), host_info = -1;
  printf("getrf %d", cublasDgetrfBatched(blas, kN, a.list, kLead, pivots, info, kBatch));
  const std::vector<int> p = host_integers(pivots, kBatch * kN), found = host_integers(info, kBatch);
  const M factors = a.values();
  bool product = true, partial = true;
  for (int b = 0; b < kBatch; ++b) {
    int row[kN];
    for (int i = 0; i < kN; ++i) {
      row[i] = i;
    }
    for (int k = 0; k < kN; ++k) {
      std::swap(row[k], row[p[b * kN + k] - 1]);
    }
    for (int i = 0; i < kN; ++i) {
      for (int j = 0; j < kN; ++j) {
        double sum = 0;
        for (int k = 0; k <= i && k <= j; ++k) {
          sum += (k == i ? 1 : at(factors, a, b, i, k)) * at(factors, a, b, k, j);
        }
        product = product && near(sum, number(b + kN, row[i], j));
        partial = partial && (i <= j || std::fabs(at(factors, a, b, i, j)) <= 1);
      }
    }
  }
  printf(" LU=PA %d, pivots are largest %d, info %d %d %d\n", product, partial, found[0], found[1], found[2]);
  printf("getrs %d",
         cublasDgetrsBatched(blas, CUBLAS_OP_N, kN, kRight, a.list, kLead, pivots, x.list, kLead, &host_info, kBatch));
  printf(" %d %d", host_info, solves(a, x.values(), x, false));
  printf(", transposed %d",
         cublasDgetrsBatched(blas, CUBLAS_OP_T, kN, kRight, a.list, kLead, pivots, y.list, kLead, &host_info, kBatch));
  printf(" %d\n", solves(a, y.values(), y, true));
  const auto unit = [&](const Batch& of) {
    const M values = of.values();
    bool good = true;
    for (int b = 0; b < kBatch; ++b) {
      for (int i = 0; i < kN; ++i) {
        for (int j = 0; j < kN; ++j) {
          double sum = 0;
          for (int k = 0; k < kN; ++k) {
            sum += number(b + kN, i, k) * at(values, of, b, k, j);
          }
          good = good && near(sum, i == j);
        }
      }
    }
    return good;
  };
  printf("getri %d", cublasDgetriBatched(blas, kN, a.list, kLead, pivots, inverse.list, kLead, info, kBatch));
  printf(" %d\n", unit(inverse));
  Batch again(kN, kN, true), other(kN, kN, false);
  printf("matinv %d", cublasDmatinvBatched(blas, kN, again.list, kLead, other.list, kLead, info, kBatch));
  printf(" %d, of 33 rows %d\n", unit(other),
         cublasDmatinvBatched(blas, 33, again.list, 33, other.list, 33, info, kBatch));
  cudaMemset(again.data, 0, kLead * kN * sizeof(double));  // the first one
  cublasDgetrfBatched(blas, kN, again.list, kLead, nullptr, info, kBatch);
  const std::vector<int> singular = host_integers(info, kBatch);
  printf("singular: info %d %d %d\n", singular[0], singular[1], singular[2]);
}

static void qr() {
  Batch a(kM, kN, true), taus(kN, 1, false), system(kM, kN, true), right(kM, kRight, true);
  int info = -1, *each = device_integers(kBatch);
  printf("geqrf %d", cublasDgeqrfBatched(blas, kM, kN, a.list, kLead, taus.list, &info, kBatch));
  const M r = a.values();
  bool gram = true;  // R'R = A'A
  for (int b = 0; b < kBatch; ++b) {
    for (int i = 0; i < kN; ++i) {
      for (int j = 0; j < kN; ++j) {
        double ours = 0, theirs = 0;
        for (int k = 0; k < kM; ++k) {
          theirs += number(b + kN, k, i) * number(b + kN, k, j);
          ours += k <= i && k <= j ? at(r, a, b, k, i) * at(r, a, b, k, j) : 0;
        }
        gram = gram && near(ours, theirs);
      }
    }
  }
  printf(" %d, R'R=A'A %d\n", info, gram);
  printf("gels %d", cublasDgelsBatched(blas, CUBLAS_OP_N, kM, kN, kRight, system.list, kLead, right.list, kLead, &info,
                                       each, kBatch));
  const M x = right.values();
  bool orthogonal = true;  // A'(A X - C) = 0
  for (int b = 0; b < kBatch; ++b) {
    for (int j = 0; j < kRight; ++j) {
      for (int i = 0; i < kN; ++i) {
        double sum = 0;
        for (int k = 0; k < kM; ++k) {
          double residual = -number(b + kRight, k, j);
          for (int l = 0; l < kN; ++l) {
            residual += number(b + kN, k, l) * at(x, right, b, l, j);
          }
          sum += number(b + kN, k, i) * residual;
        }
        orthogonal = orthogonal && std::fabs(sum) < 1e-9;
      }
    }
  }
  printf(" %d, least squares %d, each %d\n", info, orthogonal, host_integers(each, 1)[0]);
  printf("gels of too few rows %d\n", cublasDgelsBatched(blas, CUBLAS_OP_N, 2, kN, kRight, system.list, kLead,
                                                         right.list, kLead, &info, each, kBatch));
}

static void triangles() {
  Batch a(kN, kN, true), b(kN, kRight, true);
  const double two = 2;
  printf("trsm %d", cublasDtrsmBatched(blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                                       CUBLAS_DIAG_NON_UNIT, kN, kRight, &two, a.list, kLead, b.list, kLead, kBatch));
  const M x = b.values();
  bool good = true;
  for (int which = 0; which < kBatch; ++which) {
    for (int i = 0; i < kN; ++i) {
      for (int j = 0; j < kRight; ++j) {
        double sum = 0;
        for (int k = i; k < kN; ++k) {
          sum += number(which + kN, i, k) * at(x, b, which, k, j);
        }
        good = good && near(sum, 2 * number(which + kRight, i, j));
      }
    }
  }
  printf(" %d\n", good);
}

int main() {
  cublasCreate(&blas);
  lu();
  qr();
  triangles();
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
