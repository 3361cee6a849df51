#pragma once
#define CUBLAS_V2_H_
// cuBLAS, as far as the simulated GPU has it, for machines without cuBLAS: where the real header is installed, that one
// is found first. Matrices are column-major. Names and values: NVIDIA cuBLAS library manual.
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stddef.h>

#include "cublas_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Every function with suffix _v2 in the library; programs call them without it.
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSgemm cublasSgemm_v2
#define cublasSgemv cublasSgemv_v2
#define cublasSger cublasSger_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasScopy cublasScopy_v2
#define cublasSswap cublasSswap_v2
#define cublasSscal cublasSscal_v2
#define cublasSdot cublasSdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasSrot cublasSrot_v2
#define cublasStrmm cublasStrmm_v2
#define cublasStrsm cublasStrsm_v2
#define cublasStrmv cublasStrmv_v2
#define cublasStrsv cublasStrsv_v2
#define cublasSsymm cublasSsymm_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasSsyr2k cublasSsyr2k_v2
#define cublasSsymv cublasSsymv_v2
#define cublasSsyr cublasSsyr_v2
#define cublasSsyr2 cublasSsyr2_v2
#define cublasDgemm cublasDgemm_v2
#define cublasDgemv cublasDgemv_v2
#define cublasDger cublasDger_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasDswap cublasDswap_v2
#define cublasDscal cublasDscal_v2
#define cublasDdot cublasDdot_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasDasum cublasDasum_v2
#define cublasDrot cublasDrot_v2
#define cublasDtrmm cublasDtrmm_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasDtrmv cublasDtrmv_v2
#define cublasDtrsv cublasDtrsv_v2
#define cublasDsymm cublasDsymm_v2
#define cublasDsyrk cublasDsyrk_v2
#define cublasDsyr2k cublasDsyr2k_v2
#define cublasDsymv cublasDsymv_v2
#define cublasDsyr cublasDsyr_v2
#define cublasDsyr2 cublasDsyr2_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasIdamin cublasIdamin_v2

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetVector(int n, int size, const void* from, int from_step, void* to, int to_step);
cublasStatus_t cublasGetVector(int n, int size, const void* from, int from_step, void* to, int to_step);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* from, int lda, void* to, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* from, int lda, void* to, int ldb);

#define HPML_CUBLAS_REAL(letter, type)                                                                                \
  cublasStatus_t cublas##letter##gemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,      \
                                         int m, int n, int k, const type* alpha, const type* a, int lda,             \
                                         const type* b, int ldb, const type* beta, type* c, int ldc);                \
  cublasStatus_t cublas##letter##gemmBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,  \
                                             int m, int n, int k, const type* alpha, const type* const a[], int lda, \
                                             const type* const b[], int ldb, const type* beta, type* const c[],      \
                                             int ldc, int batch);                                                    \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                                                 \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const type* alpha, \
      const type* a, int lda, long long int stride_a, const type* b, int ldb, long long int stride_b,                \
      const type* beta, type* c, int ldc, long long int stride_c, int batch);                                        \
  cublasStatus_t cublas##letter##gemv_v2(cublasHandle_t handle, cublasOperation_t op, int rows, int columns,         \
                                         const type* alpha, const type* a, int lda, const type* x, int x_step,       \
                                         const type* beta, type* y, int y_step);                                     \
  cublasStatus_t cublas##letter##ger_v2(cublasHandle_t handle, int rows, int columns, const type* alpha,             \
                                        const type* x, int x_step, const type* y, int y_step, type* a, int lda);     \
  cublasStatus_t cublas##letter##axpy_v2(cublasHandle_t handle, int n, const type* alpha, const type* x, int x_step, \
                                         type* y, int y_step);                                                       \
  cublasStatus_t cublas##letter##copy_v2(cublasHandle_t handle, int n, const type* x, int x_step, type* y,           \
                                         int y_step);                                                                \
  cublasStatus_t cublas##letter##swap_v2(cublasHandle_t handle, int n, type* x, int x_step, type* y, int y_step);    \
  cublasStatus_t cublas##letter##scal_v2(cublasHandle_t handle, int n, const type* alpha, type* x, int step);        \
  cublasStatus_t cublas##letter##dot_v2(cublasHandle_t handle, int n, const type* x, int x_step, const type* y,      \
                                        int y_step, type* result);                                                   \
  cublasStatus_t cublas##letter##nrm2_v2(cublasHandle_t handle, int n, const type* x, int step, type* result);       \
  cublasStatus_t cublas##letter##asum_v2(cublasHandle_t handle, int n, const type* x, int step, type* result);

HPML_CUBLAS_REAL(S, float)
HPML_CUBLAS_REAL(D, double)
#undef HPML_CUBLAS_REAL

// Level 2 and 3 beyond products.
#define HPML_CUBLAS_MATRICES(letter, type)                                                                            \
  cublasStatus_t cublas##letter##rot_v2(cublasHandle_t handle, int n, type* x, int x_step, type* y, int y_step,       \
                                        const type* c, const type* s);                                                \
  cublasStatus_t cublas##letter##trmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,         \
                                         cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,               \
                                         const type* alpha, const type* a, int lda, const type* b, int ldb, type* c,  \
                                         int ldc);                                                                    \
  cublasStatus_t cublas##letter##trsmBatched(                                                                          \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,                      \
      cublasDiagType_t diagonal, int m, int n, const type* alpha, const type* const a[], int lda, type* const b[],    \
      int ldb, int batch);                                                                                            \
  cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t handle, int n, type* const a[], int lda, int* pivots,    \
                                              int* info, int batch);                                                  \
  cublasStatus_t cublas##letter##getrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int right,          \
                                              const type* const a[], int lda, const int* pivots, type* const b[],     \
                                              int ldb, int* info, int batch);                                         \
  cublasStatus_t cublas##letter##getriBatched(cublasHandle_t handle, int n, const type* const a[], int lda,           \
                                              const int* pivots, type* const c[], int ldc, int* info, int batch);     \
  cublasStatus_t cublas##letter##matinvBatched(cublasHandle_t handle, int n, const type* const a[], int lda,          \
                                               type* const inverse[], int ld_inverse, int* info, int batch);          \
  cublasStatus_t cublas##letter##geqrfBatched(cublasHandle_t handle, int m, int n, type* const a[], int lda,          \
                                              type* const tau[], int* info, int batch);                               \
  cublasStatus_t cublas##letter##gelsBatched(cublasHandle_t handle, cublasOperation_t op, int m, int n, int right,    \
                                             type* const a[], int lda, type* const c[], int ldc, int* info,           \
                                             int* each, int batch);                                                   \
  cublasStatus_t cublas##letter##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,         \
                                         cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,               \
                                         const type* alpha, const type* a, int lda, type* b, int ldb);                \
  cublasStatus_t cublas##letter##trmv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,          \
                                         cublasDiagType_t diagonal, int n, const type* a, int lda, type* x, int step);\
  cublasStatus_t cublas##letter##trsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,          \
                                         cublasDiagType_t diagonal, int n, const type* a, int lda, type* x, int step);\
  cublasStatus_t cublas##letter##symm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m,  \
                                         int n, const type* alpha, const type* a, int lda, const type* b, int ldb,    \
                                         const type* beta, type* c, int ldc);                                         \
  cublasStatus_t cublas##letter##syrk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n,   \
                                         int k, const type* alpha, const type* a, int lda, const type* beta, type* c, \
                                         int ldc);                                                                    \
  cublasStatus_t cublas##letter##syr2k_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n,  \
                                          int k, const type* alpha, const type* a, int lda, const type* b, int ldb,   \
                                          const type* beta, type* c, int ldc);                                        \
  cublasStatus_t cublas##letter##symv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const type* alpha,      \
                                         const type* a, int lda, const type* x, int x_step, const type* beta, type* y,\
                                         int y_step);                                                                 \
  cublasStatus_t cublas##letter##syr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const type* alpha,       \
                                        const type* x, int x_step, type* a, int lda);                                 \
  cublasStatus_t cublas##letter##syr2_v2(cublasHandle_t handle, cublasFillMode_t fill, int n, const type* alpha,      \
                                         const type* x, int x_step, const type* y, int y_step, type* a, int lda);     \
  cublasStatus_t cublas##letter##geam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,   \
                                      int n, const type* alpha, const type* a, int lda, const type* beta,             \
                                      const type* b, int ldb, type* c, int ldc);                                      \
  cublasStatus_t cublas##letter##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const type* a,      \
                                      int lda, const type* x, int step, type* c, int ldc);

HPML_CUBLAS_MATRICES(S, float)
HPML_CUBLAS_MATRICES(D, double)
#undef HPML_CUBLAS_MATRICES

cublasStatus_t cublasIsamax_v2(cublasHandle_t handle, int n, const float* x, int step, int* result);
cublasStatus_t cublasIdamax_v2(cublasHandle_t handle, int n, const double* x, int step, int* result);
cublasStatus_t cublasIsamin_v2(cublasHandle_t handle, int n, const float* x, int step, int* result);
cublasStatus_t cublasIdamin_v2(cublasHandle_t handle, int n, const double* x, int step, int* result);

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                           const __half* alpha, const __half* a, int lda, const __half* b, int ldb,
                           const __half* beta, __half* c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                                         int n, int k, const __half* alpha, const __half* a, int lda,
                                         long long int stride_a, const __half* b, int ldb, long long int stride_b,
                                         const __half* beta, __half* c, int ldc, long long int stride_c, int batch);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                            cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType a_type, int lda,
                                          long long int stride_a, const void* b, cudaDataType b_type, int ldb,
                                          long long int stride_b, const void* beta, void* c, cudaDataType c_type,
                                          int ldc, long long int stride_c, int batch, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                             const float* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                             cudaDataType b_type, int ldb, const float* beta, void* c, cudaDataType c_type, int ldc);

#include "cublas_more.h"

#ifdef __cplusplus
}
#endif

#include "cublas_complex.h"
#include "cublas_stored.h"
