#pragma once
// cuBLAS of complex numbers, as far as cublas_v2.h has it of real ones; included by that header.
#include <cuComplex.h>

#include "cublas_v2.h"

#define cublasCgemm cublasCgemm_v2
#define cublasCgemv cublasCgemv_v2
#define cublasCgeru cublasCgeru_v2
#define cublasCgerc cublasCgerc_v2
#define cublasCaxpy cublasCaxpy_v2
#define cublasCcopy cublasCcopy_v2
#define cublasCswap cublasCswap_v2
#define cublasCscal cublasCscal_v2
#define cublasCdotu cublasCdotu_v2
#define cublasCdotc cublasCdotc_v2
#define cublasCtrmm cublasCtrmm_v2
#define cublasCtrsm cublasCtrsm_v2
#define cublasCtrmv cublasCtrmv_v2
#define cublasCtrsv cublasCtrsv_v2
#define cublasCsymm cublasCsymm_v2
#define cublasChemm cublasChemm_v2
#define cublasCsyrk cublasCsyrk_v2
#define cublasCherk cublasCherk_v2
#define cublasCsyr2k cublasCsyr2k_v2
#define cublasCher2k cublasCher2k_v2
#define cublasCsymv cublasCsymv_v2
#define cublasChemv cublasChemv_v2
#define cublasCsyr cublasCsyr_v2
#define cublasCher cublasCher_v2
#define cublasCsyr2 cublasCsyr2_v2
#define cublasCher2 cublasCher2_v2
#define cublasZgemm cublasZgemm_v2
#define cublasZgemv cublasZgemv_v2
#define cublasZgeru cublasZgeru_v2
#define cublasZgerc cublasZgerc_v2
#define cublasZaxpy cublasZaxpy_v2
#define cublasZcopy cublasZcopy_v2
#define cublasZswap cublasZswap_v2
#define cublasZscal cublasZscal_v2
#define cublasZdotu cublasZdotu_v2
#define cublasZdotc cublasZdotc_v2
#define cublasZtrmm cublasZtrmm_v2
#define cublasZtrsm cublasZtrsm_v2
#define cublasZtrmv cublasZtrmv_v2
#define cublasZtrsv cublasZtrsv_v2
#define cublasZsymm cublasZsymm_v2
#define cublasZhemm cublasZhemm_v2
#define cublasZsyrk cublasZsyrk_v2
#define cublasZherk cublasZherk_v2
#define cublasZsyr2k cublasZsyr2k_v2
#define cublasZher2k cublasZher2k_v2
#define cublasZsymv cublasZsymv_v2
#define cublasZhemv cublasZhemv_v2
#define cublasZsyr cublasZsyr_v2
#define cublasZher cublasZher_v2
#define cublasZsyr2 cublasZsyr2_v2
#define cublasZher2 cublasZher2_v2
#define cublasCsscal cublasCsscal_v2
#define cublasZdscal cublasZdscal_v2
#define cublasScnrm2 cublasScnrm2_v2
#define cublasDznrm2 cublasDznrm2_v2
#define cublasScasum cublasScasum_v2
#define cublasDzasum cublasDzasum_v2
#define cublasIcamax cublasIcamax_v2
#define cublasIzamax cublasIzamax_v2
#define cublasIcamin cublasIcamin_v2
#define cublasIzamin cublasIzamin_v2
#define cublasSrotg cublasSrotg_v2
#define cublasDrotg cublasDrotg_v2

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
#define HPML_CUBLAS_COMPLEX(L, T, R)                                                                 \
  cublasStatus_t cublas##L##gemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t \
      op_b, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T*  \
      beta, T* c, int ldc);                                                                          \
  cublasStatus_t cublas##L##gemm3m(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t  \
      op_b, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T*  \
      beta, T* c, int ldc);                                                                          \
  cublasStatus_t cublas##L##gemmBatched(cublasHandle_t handle, cublasOperation_t op_a,               \
      cublasOperation_t op_b, int m, int n, int k, const T* alpha, const T* const a[], int lda,      \
      const T* const b[], int ldb, const T* beta, T* const c[], int ldc, int batch);                 \
  cublasStatus_t cublas##L##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,        \
      cublasOperation_t op_b, int m, int n, int k, const T* alpha, const T* a, int lda, long long    \
      int stride_a, const T* b, int ldb, long long int stride_b, const T* beta, T* c, int ldc, long  \
      long int stride_c, int batch);                                                                 \
  cublasStatus_t cublas##L##gemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n, const \
      T* alpha, const T* a, int lda, const T* x, int x_step, const T* beta, T* y, int y_step);       \
  cublasStatus_t cublas##L##geru_v2(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, \
      int x_step, const T* y, int y_step, T* a, int lda);                                            \
  cublasStatus_t cublas##L##gerc_v2(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, \
      int x_step, const T* y, int y_step, T* a, int lda);                                            \
  cublasStatus_t cublas##L##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, int    \
      x_step, T* y, int y_step);                                                                     \
  cublasStatus_t cublas##L##copy_v2(cublasHandle_t handle, int n, const T* x, int x_step, T* y, int  \
      y_step);                                                                                       \
  cublasStatus_t cublas##L##swap_v2(cublasHandle_t handle, int n, T* x, int x_step, T* y, int        \
      y_step);                                                                                       \
  cublasStatus_t cublas##L##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int step);   \
  cublasStatus_t cublas##L##dotu_v2(cublasHandle_t handle, int n, const T* x, int x_step, const T*   \
      y, int y_step, T* result);                                                                     \
  cublasStatus_t cublas##L##dotc_v2(cublasHandle_t handle, int n, const T* x, int x_step, const T*   \
      y, int y_step, T* result);                                                                     \
  cublasStatus_t cublas##L##trmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t   \
      fill, cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* alpha, const T*  \
      a, int lda, const T* b, int ldb, T* c, int ldc);                                               \
  cublasStatus_t cublas##L##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t   \
      fill, cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* alpha, const T*  \
      a, int lda, T* b, int ldb);                                                                    \
  cublasStatus_t cublas##L##trmv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t  \
      op, cublasDiagType_t diagonal, int n, const T* a, int lda, T* x, int step);                    \
  cublasStatus_t cublas##L##trsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t  \
      op, cublasDiagType_t diagonal, int n, const T* a, int lda, T* x, int step);                    \
  cublasStatus_t cublas##L##symm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t   \
      fill, int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta,   \
      T* c, int ldc);                                                                                \
  cublasStatus_t cublas##L##hemm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t   \
      fill, int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta,   \
      T* c, int ldc);                                                                                \
  cublasStatus_t cublas##L##syrk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t  \
      op, int n, int k, const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc);          \
  cublasStatus_t cublas##L##herk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t  \
      op, int n, int k, const R* alpha, const T* a, int lda, const R* beta, T* c, int ldc);          \
  cublasStatus_t cublas##L##syr2k_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t \
      op, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T*  \
      c, int ldc);                                                                                   \
  cublasStatus_t cublas##L##her2k_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t \
      op, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb, const R* beta, T*  \
      c, int ldc);                                                                                   \
  cublasStatus_t cublas##L##symv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const T*    \
      alpha, const T* a, int lda, const T* x, int x_step, const T* beta, T* y, int y_step);          \
  cublasStatus_t cublas##L##hemv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const T*    \
      alpha, const T* a, int lda, const T* x, int x_step, const T* beta, T* y, int y_step);          \
  cublasStatus_t cublas##L##syr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const T*     \
      alpha, const T* x, int x_step, T* a, int lda);                                                 \
  cublasStatus_t cublas##L##her_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const R*     \
      alpha, const T* x, int x_step, T* a, int lda);                                                 \
  cublasStatus_t cublas##L##syr2_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const T*    \
      alpha, const T* x, int x_step, const T* y, int y_step, T* a, int lda);                         \
  cublasStatus_t cublas##L##her2_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const T*    \
      alpha, const T* x, int x_step, const T* y, int y_step, T* a, int lda);                         \
  cublasStatus_t cublas##L##geam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t    \
      op_b, int m, int n, const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb,   \
      T* c, int ldc);                                                                                \
  cublasStatus_t cublas##L##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const   \
      T* a, int lda, const T* x, int step, T* c, int ldc);
HPML_CUBLAS_COMPLEX(C, cuComplex, float)
HPML_CUBLAS_COMPLEX(Z, cuDoubleComplex, double)
#undef HPML_CUBLAS_COMPLEX
// clang-format on

cublasStatus_t cublasCsscal_v2(cublasHandle_t handle, int n, const float* alpha, cuComplex* x, int step);
cublasStatus_t cublasZdscal_v2(cublasHandle_t handle, int n, const double* alpha, cuDoubleComplex* x, int step);
cublasStatus_t cublasScnrm2_v2(cublasHandle_t handle, int n, const cuComplex* x, int step, float* result);
cublasStatus_t cublasDznrm2_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step, double* result);
cublasStatus_t cublasScasum_v2(cublasHandle_t handle, int n, const cuComplex* x, int step, float* result);
cublasStatus_t cublasDzasum_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step, double* result);
cublasStatus_t cublasIcamax_v2(cublasHandle_t handle, int n, const cuComplex* x, int step, int* result);
cublasStatus_t cublasIzamax_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step, int* result);
cublasStatus_t cublasIcamin_v2(cublasHandle_t handle, int n, const cuComplex* x, int step, int* result);
cublasStatus_t cublasIzamin_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step, int* result);
cublasStatus_t cublasSrotg_v2(cublasHandle_t handle, float* a, float* b, float* c, float* s);
cublasStatus_t cublasDrotg_v2(cublasHandle_t handle, double* a, double* b, double* c, double* s);

#ifdef __cplusplus
}
#endif
