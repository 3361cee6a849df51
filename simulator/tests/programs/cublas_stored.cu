// Matrices of cuBLAS stored as bands or packed, products of many vectors, whole numbers of eight bits, and rotations,
// against the same matrix stored in full.
#include <cublas_v2.h>

#include <cstdio>
#include <vector>

using V = std::vector<float>;
static const int kN = 5, kBelow = 2, kAbove = 1;
static cublasHandle_t blas;

template <class T>
static T* upload(const std::vector<T>& host) {
  T* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <class T>
static std::vector<T> download(const T* device, size_t count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}
static float element(int i, int j) { return i - j > kBelow || j - i > kAbove ? 0 : i == j ? 1 : i + 2 * j - 3; }
static float symmetric(int i, int j) { return i < j ? element(j, i) : element(i, j); }

int main() {
  cublasCreate(&blas);
  const float one = 1, two = 2, three = 3;
  V band((kBelow + kAbove + 1) * kN), lower_band((kBelow + 1) * kN), packed, full(kN * kN), x(kN), y(kN);
  for (int j = 0; j < kN; ++j) {
    x[j] = j + 1;
    y[j] = 1 - j;
    for (int i = 0; i < kN; ++i) {
      full[j * kN + i] = element(i, j);
      if (element(i, j) != 0) {
        band[j * (kBelow + kAbove + 1) + kAbove + i - j] = element(i, j);
      }
      if (i >= j) {
        packed.push_back(element(i, j));
        if (i - j <= kBelow) {
          lower_band[j * (kBelow + 1) + i - j] = element(i, j);
        }
      }
    }
  }
  float *dx = upload(x), *band_d = upload(band), *lower_d = upload(lower_band), *packed_d = upload(packed);
  int wrong = 0;
  for (int op = 0; op < 2; ++op) {
    float* dy = upload(y);
    cublasSgbmv(blas, (cublasOperation_t)op, kN, kN, kBelow, kAbove, &two, band_d, kBelow + kAbove + 1, dx, 1, &three, dy,
                1);
    const V got = download(dy, kN);
    for (int i = 0; i < kN; ++i) {
      float sum = 0;
      for (int j = 0; j < kN; ++j) {
        sum += (op == 0 ? element(i, j) : element(j, i)) * x[j];
      }
      wrong += got[i] != 2 * sum + 3 * y[i];
    }
  }
  printf("gbmv: %d wrong\n", wrong);

  float *by_band = upload(y), *by_packed = upload(y);
  cublasSsbmv(blas, CUBLAS_FILL_MODE_LOWER, kN, kBelow, &two, lower_d, kBelow + 1, dx, 1, &one, by_band, 1);
  cublasSspmv(blas, CUBLAS_FILL_MODE_LOWER, kN, &two, packed_d, dx, 1, &one, by_packed, 1);
  wrong = 0;
  const V first = download(by_band, kN), second = download(by_packed, kN);
  for (int i = 0; i < kN; ++i) {
    float sum = 0;
    for (int j = 0; j < kN; ++j) {
      sum += symmetric(i, j) * x[j];
    }
    wrong += first[i] != 2 * sum + y[i];
    wrong += second[i] != 2 * sum + y[i];
  }
  printf("sbmv, spmv: %d wrong\n", wrong);

  wrong = 0;
  for (int op = 0; op < 2; ++op) {  // what the products have made, the solutions take back
    float *u = upload(x), *v = upload(x);
    const auto how = (cublasOperation_t)op;
    cublasStbmv(blas, CUBLAS_FILL_MODE_LOWER, how, CUBLAS_DIAG_NON_UNIT, kN, kBelow, lower_d, kBelow + 1, u, 1);
    cublasStpmv(blas, CUBLAS_FILL_MODE_LOWER, how, CUBLAS_DIAG_NON_UNIT, kN, packed_d, v, 1);
    wrong += download(u, kN) == x;
    wrong += download(u, kN) != download(v, kN);
    cublasStbsv(blas, CUBLAS_FILL_MODE_LOWER, how, CUBLAS_DIAG_NON_UNIT, kN, kBelow, lower_d, kBelow + 1, u, 1);
    cublasStpsv(blas, CUBLAS_FILL_MODE_LOWER, how, CUBLAS_DIAG_NON_UNIT, kN, packed_d, v, 1);
    wrong += download(u, kN) != x;
    wrong += download(v, kN) != x;
  }
  printf("tbmv, tpmv, tbsv, tpsv: %d wrong\n", wrong);

  float* spread = upload(V(kN * kN, -1.f));
  cublasSspr(blas, CUBLAS_FILL_MODE_LOWER, kN, &two, dx, 1, packed_d);
  cublasStpttr(blas, CUBLAS_FILL_MODE_LOWER, kN, packed_d, spread, kN);
  wrong = 0;
  const V all = download(spread, kN * kN);
  for (int j = 0; j < kN; ++j) {
    for (int i = 0; i < kN; ++i) {
      wrong += all[j * kN + i] != (i >= j ? element(i, j) + 2 * x[i] * x[j] : -1);
    }
  }
  printf("spr, tpttr: %d wrong\n", wrong);

  float *matrices = upload(full), *results = upload(V(2 * kN));
  V two_vectors = x;
  two_vectors.insert(two_vectors.end(), y.begin(), y.end());
  const float zero = 0;
  cublasSgemvStridedBatched(blas, CUBLAS_OP_N, kN, kN, &one, matrices, kN, 0, upload(two_vectors), 1, kN, &zero, results,
                            1, kN, 2);
  wrong = 0;
  const V products = download(results, 2 * kN);
  for (int i = 0; i < 2 * kN; ++i) {
    float sum = 0;
    for (int j = 0; j < kN; ++j) {
      sum += element(i % kN, j) * two_vectors[i / kN * kN + j];
    }
    wrong += products[i] != sum;
  }
  printf("gemv, many: %d wrong\n", wrong);

  const int n = 8, plus = 1, nothing = 0;
  std::vector<signed char> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = (signed char)(i * 37 % 255 - 127);
    b[i] = (signed char)(i * 53 % 255 - 127);
  }
  int* out = upload(std::vector<int>(n * n));
  cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &plus, upload(a), CUDA_R_8I, n, upload(b), CUDA_R_8I, n, &nothing,
               out, CUDA_R_32I, n, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
  const auto whole = download(out, n * n);
  wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int k = 0; k < n; ++k) {
        sum += a[i * n + k] * b[j * n + k];
      }
      wrong += whole[j * n + i] != sum;
    }
  }
  printf("whole numbers: %d wrong\n", wrong);

  float p = 3, q = 4, c, s;
  cublasSrotg(blas, &p, &q, &c, &s);
  printf("rotg: %g %g %g\n", p, c, s);
  return cublasDestroy(blas);
}
