#pragma once
// cuSOLVER's functions for matrices whose type is an argument. Included by cusolverDn.h inside extern "C".

typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1 } cusolverDnFunction_t;
typedef enum { CUSOLVER_ALG_0 = 0, CUSOLVER_ALG_1 = 1, CUSOLVER_ALG_2 = 2 } cusolverAlgMode_t;

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* made);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t old);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t mode);

// The work spaces of a call: on the device and on the host.
#define HPML_X_SIZES size_t *device_bytes, size_t *host_bytes
#define HPML_X_WORK void *device_work, size_t device_bytes, void *host_work, size_t host_bytes, int *info
#define HPML_X_BEGIN cusolverDnHandle_t handle, cusolverDnParams_t params
cusolverStatus_t cusolverDnXgetrf_bufferSize(HPML_X_BEGIN, int64_t m, int64_t n, cudaDataType type_a, const void* a,
                                             int64_t lda, cudaDataType compute, HPML_X_SIZES);
cusolverStatus_t cusolverDnXgetrf(HPML_X_BEGIN, int64_t m, int64_t n, cudaDataType type_a, void* a, int64_t lda,
                                  int64_t* pivots, cudaDataType compute, HPML_X_WORK);
cusolverStatus_t cusolverDnXgetrs(HPML_X_BEGIN, cublasOperation_t op, int64_t n, int64_t sides, cudaDataType type_a,
                                  const void* a, int64_t lda, const int64_t* pivots, cudaDataType type_b, void* b,
                                  int64_t ldb, int* info);
cusolverStatus_t cusolverDnXpotrf_bufferSize(HPML_X_BEGIN, cublasFillMode_t fill, int64_t n, cudaDataType type_a,
                                             const void* a, int64_t lda, cudaDataType compute, HPML_X_SIZES);
cusolverStatus_t cusolverDnXpotrf(HPML_X_BEGIN, cublasFillMode_t fill, int64_t n, cudaDataType type_a, void* a,
                                  int64_t lda, cudaDataType compute, HPML_X_WORK);
cusolverStatus_t cusolverDnXpotrs(HPML_X_BEGIN, cublasFillMode_t fill, int64_t n, int64_t sides, cudaDataType type_a,
                                  const void* a, int64_t lda, cudaDataType type_b, void* b, int64_t ldb, int* info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(HPML_X_BEGIN, int64_t m, int64_t n, cudaDataType type_a, const void* a,
                                             int64_t lda, cudaDataType type_tau, const void* tau, cudaDataType compute,
                                             HPML_X_SIZES);
cusolverStatus_t cusolverDnXgeqrf(HPML_X_BEGIN, int64_t m, int64_t n, cudaDataType type_a, void* a, int64_t lda,
                                  cudaDataType type_tau, void* tau, cudaDataType compute, HPML_X_WORK);
cusolverStatus_t cusolverDnXsyevd_bufferSize(HPML_X_BEGIN, cusolverEigMode_t mode, cublasFillMode_t fill, int64_t n,
                                             cudaDataType type_a, const void* a, int64_t lda, cudaDataType type_w,
                                             const void* w, cudaDataType compute, HPML_X_SIZES);
cusolverStatus_t cusolverDnXsyevd(HPML_X_BEGIN, cusolverEigMode_t mode, cublasFillMode_t fill, int64_t n,
                                  cudaDataType type_a, void* a, int64_t lda, cudaDataType type_w, void* w,
                                  cudaDataType compute, HPML_X_WORK);
cusolverStatus_t cusolverDnXgesvd_bufferSize(HPML_X_BEGIN, signed char job_u, signed char job_v, int64_t m, int64_t n,
                                             cudaDataType type_a, const void* a, int64_t lda, cudaDataType type_s,
                                             const void* s, cudaDataType type_u, const void* u, int64_t ldu,
                                             cudaDataType type_v, const void* v, int64_t ldv, cudaDataType compute,
                                             HPML_X_SIZES);
cusolverStatus_t cusolverDnXgesvd(HPML_X_BEGIN, signed char job_u, signed char job_v, int64_t m, int64_t n,
                                  cudaDataType type_a, void* a, int64_t lda, cudaDataType type_s, void* s,
                                  cudaDataType type_u, void* u, int64_t ldu, cudaDataType type_v, void* v,
                                  int64_t ldv, cudaDataType compute, HPML_X_WORK);
#undef HPML_X_SIZES
#undef HPML_X_WORK
#undef HPML_X_BEGIN
