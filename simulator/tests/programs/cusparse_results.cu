// Sparse results of cuSPARSE (a product of two sparse matrices, a transposed one, sums at given entries), sparse vectors,
// and tridiagonal systems, against the dense definition, in small whole numbers.
#include <cusparse.h>

#include <cstdio>
#include <vector>

using F = std::vector<float>;
using I = std::vector<int>;
static const int kN = 12;
static cusparseHandle_t handle;
static const cusparseOperation_t kAsIs = CUSPARSE_OPERATION_NON_TRANSPOSE;

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

// What a call asks for. The real library writes to it.
static void* buffer_of(size_t size) {
  void* buffer = nullptr;
  cudaMalloc(&buffer, size > 0 ? size : 1);
  return buffer;
}

struct Csr {
  I offsets{0}, indices;
  F values, dense = F(kN * kN);
};
static Csr made(int seed) {
  Csr a;
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) {
      if ((i * 5 + j * seed) % 7 < 2) {
        a.indices.push_back(j);
        a.values.push_back((float)((i + j * seed) % 9 - 4));
        a.dense[i * kN + j] = a.values.back();
      }
    }
    a.offsets.push_back((int)a.indices.size());
  }
  return a;
}
static cusparseSpMatDescr_t describe(int* offsets, int* indices, float* values, int entries) {
  cusparseSpMatDescr_t matrix;
  cusparseCreateCsr(&matrix, kN, kN, entries, offsets, indices, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  return matrix;
}

static void product(const Csr& a, const Csr& b) {
  const float alpha = 2, beta = 0;
  const auto left = describe(upload(a.offsets), upload(a.indices), upload(a.values), (int)a.indices.size());
  const auto right = describe(upload(b.offsets), upload(b.indices), upload(b.values), (int)b.indices.size());
  const auto out = describe(nullptr, nullptr, nullptr, 0);
  cusparseSpGEMMDescr_t work;
  size_t size = 0;
  void* buffer = nullptr;
  cusparseSpGEMM_createDescr(&work);
  for (int pass = 0; pass < 2; ++pass) {  // first without a buffer, which asks for its size
    cusparseSpGEMM_workEstimation(handle, kAsIs, kAsIs, &alpha, left, right, &beta, out, CUDA_R_32F,
                                  CUSPARSE_SPGEMM_DEFAULT, work, &size, buffer);
    cudaMalloc(&buffer, size);
  }
  buffer = nullptr;
  for (int pass = 0; pass < 2; ++pass) {
    cusparseSpGEMM_compute(handle, kAsIs, kAsIs, &alpha, left, right, &beta, out, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT,
                           work, &size, buffer);
    cudaMalloc(&buffer, size);
  }
  int64_t rows, columns, entries;
  cusparseSpMatGetSize(out, &rows, &columns, &entries);
  int *offsets = upload(I(kN + 1)), *indices = upload(I(entries));
  float* values = upload(F(entries));
  cusparseCsrSetPointers(out, offsets, indices, values);
  cusparseSpGEMM_copy(handle, kAsIs, kAsIs, &alpha, left, right, &beta, out, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, work);
  cusparseSpGEMM_destroyDescr(work);
  const I from = download(offsets, kN + 1), at = download(indices, entries);
  const F value = download(values, entries);
  F dense(kN * kN);
  for (int i = 0; i < kN; ++i) {
    for (int k = from[i]; k < from[i + 1]; ++k) {
      dense[i * kN + at[k]] += value[k];
    }
  }
  int wrong = 0;
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) {
      float sum = 0;
      for (int k = 0; k < kN; ++k) {
        sum += a.dense[i * kN + k] * b.dense[k * kN + j];
      }
      wrong += dense[i * kN + j] != 2 * sum;
    }
  }
  printf("product: %d wrong of %lld entries\n", wrong, (long long)entries);
}

static void turned(const Csr& a) {
  const int entries = (int)a.indices.size();
  int *offsets = upload(I(kN + 1)), *rows = upload(I(entries));
  float* values = upload(F(entries));
  size_t size = 0;
  void* buffer = nullptr;
  cusparseCsr2cscEx2_bufferSize(handle, kN, kN, entries, upload(a.values), upload(a.offsets), upload(a.indices), values,
                                offsets, rows, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                                CUSPARSE_CSR2CSC_ALG1, &size);
  cudaMalloc(&buffer, size);
  cusparseCsr2cscEx2(handle, kN, kN, entries, upload(a.values), upload(a.offsets), upload(a.indices), values, offsets,
                     rows, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, buffer);
  const I from = download(offsets, kN + 1), at = download(rows, entries);
  const F value = download(values, entries);
  int wrong = from[kN] != entries;
  for (int j = 0; j < kN; ++j) {
    for (int k = from[j]; k < from[j + 1]; ++k) {
      wrong += value[k] != a.dense[at[k] * kN + j] || (k > from[j] && at[k] <= at[k - 1]);
    }
  }
  printf("by columns: %d wrong\n", wrong);
}

static void sampled(const Csr& a) {
  const float alpha = 1, beta = 2;
  F x(kN * 3), y(kN * 3);
  for (int i = 0; i < kN * 3; ++i) {
    x[i] = (float)(i % 5 - 2);
    y[i] = (float)(i % 7 - 3);
  }
  float* values = upload(a.values);
  const auto at = describe(upload(a.offsets), upload(a.indices), values, (int)a.indices.size());
  cusparseDnMatDescr_t left, right;
  cusparseCreateDnMat(&left, kN, 3, 3, upload(x), CUDA_R_32F, CUSPARSE_ORDER_ROW);
  cusparseCreateDnMat(&right, 3, kN, 3, upload(y), CUDA_R_32F, CUSPARSE_ORDER_COL);
  size_t size = 0;
  cusparseSDDMM_bufferSize(handle, kAsIs, kAsIs, &alpha, left, right, &beta, at, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT,
                           &size);
  cusparseSDDMM(handle, kAsIs, kAsIs, &alpha, left, right, &beta, at, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT,
                buffer_of(size));
  const F got = download(values, a.values.size());
  int wrong = 0;
  for (int i = 0; i < kN; ++i) {
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      float sum = 2 * a.values[k];
      for (int l = 0; l < 3; ++l) {
        sum += x[i * 3 + l] * y[a.indices[k] * 3 + l];
      }
      wrong += got[k] != sum;
    }
  }
  printf("sampled: %d wrong\n", wrong);
}

static void vectors() {
  float *values = upload(F{1, 2, 3}), *dense = upload(F{1, 1, 1, 1, 1, 1}), two = 2, ten = 10, dot = 0;
  cusparseSpVecDescr_t x;
  cusparseDnVecDescr_t y;
  cusparseCreateSpVec(&x, 6, 3, upload(I{0, 2, 5}), values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&y, 6, dense, CUDA_R_32F);
  cusparseAxpby(handle, &two, x, &ten, y);
  size_t size = 0;
  cusparseSpVV_bufferSize(handle, kAsIs, x, y, &dot, CUDA_R_32F, &size);
  cusparseSpVV(handle, kAsIs, x, y, &dot, CUDA_R_32F, buffer_of(size));
  const F sums = download(dense, 6);
  printf("axpby %g %g %g, dot %g", sums[0], sums[1], sums[5], dot);
  cusparseGather(handle, y, x);
  cudaMemset(dense, 0, 6 * sizeof(float));
  cusparseScatter(handle, x, y);
  const F spread = download(dense, 6);
  printf(", scattered %g %g %g\n", spread[0], spread[1], spread[5]);
}

static void tridiagonal() {
  // The pivot of the second row vanishes: rows must be exchanged.
  const F below = {0, 1, 2, -1}, main = {1, 2, 1, 3}, above = {2, 1, -1, 0}, solution = {1, 2, 3, 4};
  F b(4);
  for (int i = 0; i < 4; ++i) {
    b[i] = main[i] * solution[i] + (i > 0 ? below[i] * solution[i - 1] : 0) + (i < 3 ? above[i] * solution[i + 1] : 0);
  }
  float* x = upload(b);
  size_t size = 0;
  void* buffer = nullptr;
  cusparseSgtsv2_bufferSizeExt(handle, 4, 1, upload(below), upload(main), upload(above), x, 4, &size);
  cudaMalloc(&buffer, size);
  cusparseSgtsv2(handle, 4, 1, upload(below), upload(main), upload(above), x, 4, buffer);
  const F got = download(x, 4);
  printf("tridiagonal: %g %g %g %g\n", got[0], got[1], got[2], got[3]);
}

int main() {
  cusparseCreate(&handle);
  const Csr a = made(3), b = made(4);
  product(a, b);
  turned(a);
  sampled(a);
  vectors();
  tridiagonal();
  return cusparseDestroy(handle);
}
