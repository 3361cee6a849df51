// cuBLASXt: products of matrices in the host's memory, on every GPU there is, against the definition, in small whole numbers.
#include <cublasXt.h>

#include "check.cuh"

template <class T>
static cublasStatus_t multiply(cublasXtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, size_t m, size_t n, size_t k,
                               T alpha, const T* a, size_t lda, const T* b, size_t ldb, T beta, T* c, size_t ldc) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return cublasXtSgemm(handle, op_a, op_b, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  } else {
    return cublasXtDgemm(handle, op_a, op_b, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  }
}

template <class T>
static int wrong_of(cublasXtHandle_t handle, bool turn_a, bool turn_b) {
  const int m = 9, n = 11, k = 7, leading = 13;
  std::vector<T> a(leading * leading), b(a.size()), c(a.size());
  for (int i = 0; i < leading * leading; ++i) {
    a[i] = static_cast<T>(i % 5 - 2);
    b[i] = static_cast<T>(i % 7 - 3);
    c[i] = static_cast<T>(i % 3);
  }
  const std::vector<T> before = c;
  const cublasStatus_t status = multiply<T>(handle, turn_a ? CUBLAS_OP_T : CUBLAS_OP_N, turn_b ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k, 2,
                                            a.data(), leading, b.data(), leading, -1, c.data(), leading);
  int wrong = status != CUBLAS_STATUS_SUCCESS;
  for (int j = 0; j < leading; ++j) {
    for (int i = 0; i < leading; ++i) {
      T sum = 0;
      for (int l = 0; l < k; ++l) {
        sum += a[turn_a ? i * leading + l : l * leading + i] * b[turn_b ? l * leading + j : j * leading + l];
      }
      const T old = before[j * leading + i];
      wrong += c[j * leading + i] != (i < m && j < n ? 2 * sum - old : old);
    }
  }
  return wrong;
}

int main() {
  cublasXtHandle_t handle;
  cublasXtCreate(&handle);
  int device = -1, devices[8] = {0, 1, 2, 3, 4, 5, 6, 7}, there = 0, block = 0;
  CHECK(cudaGetDeviceCount(&there));
  printf("too many: %d\n", static_cast<int>(cublasXtDeviceSelect(handle, there + 1, devices)));
  cublasXtDeviceSelect(handle, there, devices);
  cublasXtSetBlockDim(handle, 64);
  cublasXtGetBlockDim(handle, &block);
  printf("block of %d\n", block);
  for (const bool turn_a : {false, true}) {
    for (const bool turn_b : {false, true}) {
      printf("%d %d wrong\n", wrong_of<float>(handle, turn_a, turn_b), wrong_of<double>(handle, turn_a, turn_b));
    }
  }
  CHECK(cudaGetDevice(&device));
  printf("current GPU: %d\n", device);
  cublasXtDestroy(handle);
  fflush(stdout);  // the real library may stop the program here
  cublasXtCreate(&handle);
  printf("no GPU chosen: %s\n", wrong_of<float>(handle, false, false) > 0 ? "refused" : "done");
  cublasXtDestroy(handle);
  return 0;
}
