#pragma once
// cuBLAS before version 2: one handle for the process, scalars and results by value, letters for transposes and triangles,
// and an error that waits to be asked for. Names and values: NVIDIA cuBLAS library manual, "Using the cuBLAS Legacy API".
#ifdef CUBLAS_V2_H_
#error "cublas.h and cublas_v2.h give the same names to different functions: include one of them"
#endif
#define CUBLAS_V2_H_
#include "cublas_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef cublasStatus_t cublasStatus;

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
cublasStatus cublasGetError(void);
cublasStatus cublasGetVersion(int* version);
cublasStatus cublasAlloc(int n, int size, void** pointer);
cublasStatus cublasFree(void* pointer);
cublasStatus cublasSetKernelStream(cudaStream_t stream);
cublasStatus cublasSetVector(int n, int size, const void* from, int from_step, void* to, int to_step);
cublasStatus cublasGetVector(int n, int size, const void* from, int from_step, void* to, int to_step);
cublasStatus cublasSetMatrix(int rows, int columns, int size, const void* from, int lda, void* to, int ldb);
cublasStatus cublasGetMatrix(int rows, int columns, int size, const void* from, int lda, void* to, int ldb);

#define HPML_CUBLAS_LEGACY(L, T)                                                                                     \
  void cublas##L##axpy(int n, T alpha, const T* x, int x_step, T* y, int y_step);                                    \
  void cublas##L##copy(int n, const T* x, int x_step, T* y, int y_step);                                             \
  void cublas##L##scal(int n, T alpha, T* x, int step);                                                              \
  void cublas##L##swap(int n, T* x, int x_step, T* y, int y_step);                                                   \
  T cublas##L##dot(int n, const T* x, int x_step, const T* y, int y_step);                                           \
  T cublas##L##nrm2(int n, const T* x, int step);                                                                    \
  T cublas##L##asum(int n, const T* x, int step);                                                                    \
  void cublas##L##gemv(char trans, int m, int n, T alpha, const T* a, int lda, const T* x, int x_step, T beta, T* y, \
                       int y_step);                                                                                  \
  void cublas##L##ger(int m, int n, T alpha, const T* x, int x_step, const T* y, int y_step, T* a, int lda);         \
  void cublas##L##gemm(char trans_a, char trans_b, int m, int n, int k, T alpha, const T* a, int lda, const T* b,    \
                       int ldb, T beta, T* c, int ldc);                                                              \
  void cublas##L##syrk(char uplo, char trans, int n, int k, T alpha, const T* a, int lda, T beta, T* c, int ldc);    \
  void cublas##L##trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* a, int lda,      \
                       T* b, int ldb);                                                                               \
  void cublas##L##trsv(char uplo, char trans, char diag, int n, const T* a, int lda, T* x, int step);
HPML_CUBLAS_LEGACY(S, float)
HPML_CUBLAS_LEGACY(D, double)
#undef HPML_CUBLAS_LEGACY
int cublasIsamax(int n, const float* x, int step);
int cublasIsamin(int n, const float* x, int step);
int cublasIdamax(int n, const double* x, int step);
int cublasIdamin(int n, const double* x, int step);

#ifdef __cplusplus
}
#endif
