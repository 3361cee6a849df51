#pragma once
#define CUSOLVER_COMMON_H_  // headers of others look whether it was included
#define CUSOLVERDN_H_
// cuSOLVER of dense matrices, as far as the simulated GPU has it, for machines without cuSOLVER: where the real header is
// installed, that one is found first. Matrices are column-major. Names and values: NVIDIA cuSOLVER library manual.
#include <cuComplex.h>

#include "cublas_v2.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverDnContext* cusolverDnHandle_t;
typedef struct cusolverDnParams* cusolverDnParams_t;
typedef struct gesvdjInfo* gesvdjInfo_t;
typedef struct syevjInfo* syevjInfo_t;

typedef enum {
  CUSOLVER_STATUS_SUCCESS = 0,
  CUSOLVER_STATUS_NOT_INITIALIZED = 1,
  CUSOLVER_STATUS_ALLOC_FAILED = 2,
  CUSOLVER_STATUS_INVALID_VALUE = 3,
  CUSOLVER_STATUS_ARCH_MISMATCH = 4,
  CUSOLVER_STATUS_MAPPING_ERROR = 5,
  CUSOLVER_STATUS_EXECUTION_FAILED = 6,
  CUSOLVER_STATUS_INTERNAL_ERROR = 7,
  CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSOLVER_STATUS_NOT_SUPPORTED = 9,
  CUSOLVER_STATUS_ZERO_PIVOT = 10,
  CUSOLVER_STATUS_INVALID_LICENSE = 11
} cusolverStatus_t;
typedef enum { CUSOLVER_EIG_TYPE_1 = 1, CUSOLVER_EIG_TYPE_2 = 2, CUSOLVER_EIG_TYPE_3 = 3 } cusolverEigType_t;
typedef enum { CUSOLVER_EIG_MODE_NOVECTOR = 0, CUSOLVER_EIG_MODE_VECTOR = 1 } cusolverEigMode_t;
typedef enum {
  CUSOLVER_EIG_RANGE_ALL = 1001,
  CUSOLVER_EIG_RANGE_I = 1002,
  CUSOLVER_EIG_RANGE_V = 1003
} cusolverEigRange_t;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sorted);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sorted);

// clang-format off
#define HPML_CUSOLVER(L, T, R)                                                                       \
  cusolverStatus_t cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T* a,    \
      int lda, int* size);                                                                           \
  cusolverStatus_t cusolverDn##L##getrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T*   \
      work, int* pivots, int* info);                                                                 \
  cusolverStatus_t cusolverDn##L##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int  \
      sides, const T* a, int lda, const int* pivots, T* b, int ldb, int* info);                      \
  cusolverStatus_t cusolverDn##L##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, \
      int n, T* a, int lda, int* size);                                                              \
  cusolverStatus_t cusolverDn##L##potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T*  \
      a, int lda, T* work, int size, int* info);                                                     \
  cusolverStatus_t cusolverDn##L##potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int \
      sides, const T* a, int lda, T* b, int ldb, int* info);                                         \
  cusolverStatus_t cusolverDn##L##potri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, \
      int n, T* a, int lda, int* size);                                                              \
  cusolverStatus_t cusolverDn##L##potri(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T*  \
      a, int lda, T* work, int size, int* info);                                                     \
  cusolverStatus_t cusolverDn##L##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int \
      n, T* a[], int lda, int* info, int batch);                                                     \
  cusolverStatus_t cusolverDn##L##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t fill, int \
      n, int sides, T* a[], int lda, T* b[], int ldb, int* info, int batch);                         \
  cusolverStatus_t cusolverDn##L##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T* a,    \
      int lda, int* size);                                                                           \
  cusolverStatus_t cusolverDn##L##geqrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T*   \
      tau, T* work, int size, int* info);                                                            \
  cusolverStatus_t cusolverDn##L##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int*     \
      size);                                                                                         \
  cusolverStatus_t cusolverDn##L##gesvd(cusolverDnHandle_t handle, signed char u_letter, signed char \
      v_letter, int m, int n, T* a, int lda, R* s, T* u, int ldu, T* v, int ldv, T* work, int size,  \
      R* real_work, int* info);                                                                      \
  cusolverStatus_t cusolverDn##L##gesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t     \
      mode, int economy, int m, int n, const T* a, int lda, const R* s, const T* u, int ldu, const   \
      T* v, int ldv, int* size, gesvdjInfo_t parameters);                                            \
  cusolverStatus_t cusolverDn##L##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t mode, int      \
      economy, int m, int n, T* a, int lda, R* s, T* u, int ldu, T* v, int ldv, T* work, int size,   \
      int* info, gesvdjInfo_t parameters);
HPML_CUSOLVER(S, float, float)
HPML_CUSOLVER(D, double, double)
HPML_CUSOLVER(C, cuComplex, float)
HPML_CUSOLVER(Z, cuDoubleComplex, double)
#undef HPML_CUSOLVER

// or and sy: of real numbers; un and he: of complex ones.
#define HPML_CUSOLVER_ORTHOGONAL(L, T)                                                               \
  cusolverStatus_t cusolverDn##L##gqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,     \
      const T* a, int lda, const T* tau, int* size);                                                 \
  cusolverStatus_t cusolverDn##L##gqr(cusolverDnHandle_t handle, int m, int n, int k, T* a, int lda, \
      const T* tau, T* work, int size, int* info);                                                   \
  cusolverStatus_t cusolverDn##L##mqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,   \
      cublasOperation_t op, int m, int n, int k, const T* a, int lda, const T* tau, const T* c, int  \
      ldc, int* size);                                                                               \
  cusolverStatus_t cusolverDn##L##mqr(cusolverDnHandle_t handle, cublasSideMode_t side,              \
      cublasOperation_t op, int m, int n, int k, const T* a, int lda, const T* tau, T* c, int ldc,   \
      T* work, int size, int* info);
HPML_CUSOLVER_ORTHOGONAL(Sor, float)
HPML_CUSOLVER_ORTHOGONAL(Dor, double)
HPML_CUSOLVER_ORTHOGONAL(Cun, cuComplex)
HPML_CUSOLVER_ORTHOGONAL(Zun, cuDoubleComplex)
#undef HPML_CUSOLVER_ORTHOGONAL

#define HPML_CUSOLVER_EIGEN(L, T, R)                                                                 \
  cusolverStatus_t cusolverDn##L##evd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,  \
      cublasFillMode_t fill, int n, const T* a, int lda, const R* w, int* size);                     \
  cusolverStatus_t cusolverDn##L##evd(cusolverDnHandle_t handle, cusolverEigMode_t mode,             \
      cublasFillMode_t fill, int n, T* a, int lda, R* w, T* work, int size, int* info);              \
  cusolverStatus_t cusolverDn##L##evj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,  \
      cublasFillMode_t fill, int n, const T* a, int lda, const R* w, int* size, syevjInfo_t          \
      parameters);                                                                                   \
  cusolverStatus_t cusolverDn##L##evj(cusolverDnHandle_t handle, cusolverEigMode_t mode,             \
      cublasFillMode_t fill, int n, T* a, int lda, R* w, T* work, int size, int* info, syevjInfo_t   \
      parameters);                                                                                   \
  cusolverStatus_t cusolverDn##L##evjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t \
      mode, cublasFillMode_t fill, int n, const T* a, int lda, const R* w, int* size, syevjInfo_t    \
      parameters, int batch);                                                                        \
  cusolverStatus_t cusolverDn##L##evjBatched(cusolverDnHandle_t handle, cusolverEigMode_t mode,      \
      cublasFillMode_t fill, int n, T* a, int lda, R* w, T* work, int size, int* info, syevjInfo_t   \
      parameters, int batch);                                                                        \
  cusolverStatus_t cusolverDn##L##gvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t kind,  \
      cusolverEigMode_t mode, cublasFillMode_t fill, int n, const T* a, int lda, const T* b, int     \
      ldb, const R* w, int* size);                                                                   \
  cusolverStatus_t cusolverDn##L##gvd(cusolverDnHandle_t handle, cusolverEigType_t kind,             \
      cusolverEigMode_t mode, cublasFillMode_t fill, int n, T* a, int lda, T* b, int ldb, R* w, T*   \
      work, int size, int* info);
HPML_CUSOLVER_EIGEN(Ssy, float, float)
HPML_CUSOLVER_EIGEN(Dsy, double, double)
HPML_CUSOLVER_EIGEN(Che, cuComplex, float)
HPML_CUSOLVER_EIGEN(Zhe, cuDoubleComplex, double)
#undef HPML_CUSOLVER_EIGEN
// clang-format on

#include "cusolver_any_type.h"

#ifdef __cplusplus
}
#endif
