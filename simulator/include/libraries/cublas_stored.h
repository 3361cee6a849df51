#pragma once
// Matrices of cuBLAS stored as bands or packed, and matrix-vector products by the batch; included by cublas_v2.h.
#include <cuComplex.h>

#include "cublas_v2.h"

#define cublasSgbmv cublasSgbmv_v2
#define cublasStbmv cublasStbmv_v2
#define cublasStbsv cublasStbsv_v2
#define cublasStpmv cublasStpmv_v2
#define cublasStpsv cublasStpsv_v2
#define cublasSsbmv cublasSsbmv_v2
#define cublasSspmv cublasSspmv_v2
#define cublasSspr cublasSspr_v2
#define cublasSspr2 cublasSspr2_v2
#define cublasDgbmv cublasDgbmv_v2
#define cublasDtbmv cublasDtbmv_v2
#define cublasDtbsv cublasDtbsv_v2
#define cublasDtpmv cublasDtpmv_v2
#define cublasDtpsv cublasDtpsv_v2
#define cublasDsbmv cublasDsbmv_v2
#define cublasDspmv cublasDspmv_v2
#define cublasDspr cublasDspr_v2
#define cublasDspr2 cublasDspr2_v2
#define cublasCgbmv cublasCgbmv_v2
#define cublasCtbmv cublasCtbmv_v2
#define cublasCtbsv cublasCtbsv_v2
#define cublasCtpmv cublasCtpmv_v2
#define cublasCtpsv cublasCtpsv_v2
#define cublasChbmv cublasChbmv_v2
#define cublasChpmv cublasChpmv_v2
#define cublasChpr cublasChpr_v2
#define cublasChpr2 cublasChpr2_v2
#define cublasZgbmv cublasZgbmv_v2
#define cublasZtbmv cublasZtbmv_v2
#define cublasZtbsv cublasZtbsv_v2
#define cublasZtpmv cublasZtpmv_v2
#define cublasZtpsv cublasZtpsv_v2
#define cublasZhbmv cublasZhbmv_v2
#define cublasZhpmv cublasZhpmv_v2
#define cublasZhpr cublasZhpr_v2
#define cublasZhpr2 cublasZhpr2_v2

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
#define HPML_CUBLAS_STORED(L, T)                                                                     \
  cublasStatus_t cublas##L##gbmv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n, int   \
      below, int above, const T* alpha, const T* a, int lda, const T* x, int x_step, const T* beta,  \
      T* y, int y_step);                                                                             \
  cublasStatus_t cublas##L##tbmv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t  \
      op, cublasDiagType_t diagonal, int n, int k, const T* a, int lda, T* x, int step);             \
  cublasStatus_t cublas##L##tbsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t  \
      op, cublasDiagType_t diagonal, int n, int k, const T* a, int lda, T* x, int step);             \
  cublasStatus_t cublas##L##tpmv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t  \
      op, cublasDiagType_t diagonal, int n, const T* a, T* x, int step);                             \
  cublasStatus_t cublas##L##tpsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t  \
      op, cublasDiagType_t diagonal, int n, const T* a, T* x, int step);                             \
  cublasStatus_t cublas##L##trttp(cublasHandle_t handle, cublasFillMode_t fill, int n, const T* a,   \
      int lda, T* packed);                                                                           \
  cublasStatus_t cublas##L##tpttr(cublasHandle_t handle, cublasFillMode_t fill, int n, const T*      \
      packed, T* a, int lda);                                                                        \
  cublasStatus_t cublas##L##gemvBatched(cublasHandle_t handle, cublasOperation_t op, int m, int n,   \
      const T* alpha, const T* const a[], int lda, const T* const x[], int x_step, const T* beta, T* \
      const y[], int y_step, int batch);                                                             \
  cublasStatus_t cublas##L##gemvStridedBatched(cublasHandle_t handle, cublasOperation_t op, int m,   \
      int n, const T* alpha, const T* a, int lda, long long int stride_a, const T* x, int x_step,    \
      long long int stride_x, const T* beta, T* y, int y_step, long long int stride_y, int batch);
HPML_CUBLAS_STORED(S, float)
HPML_CUBLAS_STORED(D, double)
HPML_CUBLAS_STORED(C, cuComplex)
HPML_CUBLAS_STORED(Z, cuDoubleComplex)
#undef HPML_CUBLAS_STORED

#define HPML_CUBLAS_HALVES(L, T, R)                                                                  \
  cublasStatus_t cublas##L##bmv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, int k, const \
      T* alpha, const T* a, int lda, const T* x, int x_step, const T* beta, T* y, int y_step);       \
  cublasStatus_t cublas##L##pmv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const T*     \
      alpha, const T* packed, const T* x, int x_step, const T* beta, T* y, int y_step);              \
  cublasStatus_t cublas##L##pr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const R*      \
      alpha, const T* x, int step, T* packed);                                                       \
  cublasStatus_t cublas##L##pr2_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const T*     \
      alpha, const T* x, int x_step, const T* y, int y_step, T* packed);
HPML_CUBLAS_HALVES(Ss, float, float)
HPML_CUBLAS_HALVES(Ds, double, double)
HPML_CUBLAS_HALVES(Ch, cuComplex, float)
HPML_CUBLAS_HALVES(Zh, cuDoubleComplex, double)
#undef HPML_CUBLAS_HALVES
// clang-format on

#ifdef __cplusplus
}
#endif
