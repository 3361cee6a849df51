#pragma once
// Sparse results, sparse vectors and tridiagonal systems of cuSPARSE; included by cusparse.h.
#include "cusparse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusparseSpGEMMDescr* cusparseSpGEMMDescr_t;
typedef struct cusparseSpVecDescr* cusparseSpVecDescr_t;
typedef const struct cusparseSpVecDescr* cusparseConstSpVecDescr_t;
typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;

// clang-format off
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* made);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t old);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
    cudaDataType type, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t description,
    size_t* size, void* buffer);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
    cudaDataType type, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t description,
    size_t* size, void* buffer);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
    cudaDataType type, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t description);

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int rows, int columns, int entries, const void* values, const int* offsets,
    const int* indices, void* to_values, int* to_offsets, int* to_indices, cudaDataType type, cusparseAction_t action,
    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm,
    size_t* size);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int rows, int columns, int entries, const void* values, const int* offsets,
    const int* indices, void* to_values, int* to_offsets, int* to_indices, cudaDataType type, cusparseAction_t action,
    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm,
    void* buffer);

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* made, int64_t size, int64_t entries, void* indices,
    void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t old);
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha, cusparseConstSpVecDescr_t x,
    const void* beta, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
    cusparseConstDnVecDescr_t y, const void* result, cudaDataType type, size_t* size);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
    cusparseConstDnVecDescr_t y, void* result, cudaDataType type, void* buffer);
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
    cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
    cudaDataType type, cusparseSDDMMAlg_t algorithm,
    size_t* size);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
    cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
    cudaDataType type, cusparseSDDMMAlg_t algorithm,
    void* buffer);

#define HPML_CUSPARSE_TRIDIAGONAL(L, T)                                                                                \
  cusparseStatus_t cusparse##L##gtsv2_bufferSizeExt(cusparseHandle_t handle, int n, int sides, const T* below,         \
                                                    const T* main, const T* above, const T* b, int ldb, size_t* size); \
  cusparseStatus_t cusparse##L##gtsv2(cusparseHandle_t handle, int n, int sides, const T* below, const T* main,        \
                                      const T* above, T* b, int ldb, void* buffer);                                    \
  cusparseStatus_t cusparse##L##gtsv2_nopivot_bufferSizeExt(cusparseHandle_t handle, int n, int sides, const T* below, \
                                                            const T* main, const T* above, const T* b, int ldb,        \
                                                            size_t* size);                                             \
  cusparseStatus_t cusparse##L##gtsv2_nopivot(cusparseHandle_t handle, int n, int sides, const T* below,               \
                                              const T* main, const T* above, T* b, int ldb, void* buffer);             \
  cusparseStatus_t cusparse##L##gtsv2StridedBatch_bufferSizeExt(cusparseHandle_t handle, int n, const T* below,        \
                                                                const T* main, const T* above, const T* x, int batch,  \
                                                                int stride, size_t* size);                             \
  cusparseStatus_t cusparse##L##gtsv2StridedBatch(cusparseHandle_t handle, int n, const T* below, const T* main,       \
                                                  const T* above, T* x, int batch, int stride, void* buffer);
HPML_CUSPARSE_TRIDIAGONAL(S, float)
HPML_CUSPARSE_TRIDIAGONAL(D, double)
#undef HPML_CUSPARSE_TRIDIAGONAL
// clang-format on

#ifdef __cplusplus
}
#endif
