#pragma once
#define CUSPARSE_H_  // headers of others look whether it was included
#define CUSPARSEAPI
// cuSPARSE's generic API, as far as the simulated GPU has it, for machines without cuSPARSE: where the real header is
// installed, that one is found first. Names and values: NVIDIA cuSPARSE library guide.
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef struct cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef struct cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef const struct cusparseSpMatDescr* cusparseConstSpMatDescr_t;
typedef const struct cusparseDnVecDescr* cusparseConstDnVecDescr_t;
typedef const struct cusparseDnMatDescr* cusparseConstDnMatDescr_t;

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_COO_ALG2 = 4
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;

typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3 } cusparseFormat_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1 } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1 } cusparseSolvePolicy_t;
typedef struct cusparseSpSVDescr* cusparseSpSVDescr_t;
typedef struct cusparseMatDescr* cusparseMatDescr_t;
typedef struct csrilu02Info* csrilu02Info_t;
typedef struct csric02Info* csric02Info_t;

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode);
const char* cusparseGetErrorName(cusparseStatus_t status);
const char* cusparseGetErrorString(cusparseStatus_t status);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t entries,
                                   void* row_offsets, void* column_indices, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t entries,
                                   void* column_offsets, void* row_indices, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t entries,
                                   void* row_indices, void* column_indices, void* values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                      int64_t* entries);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* row_offsets, void* column_indices,
                                        void* values);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values, cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t leading,
                                     void* values, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm,
                                         size_t* size);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm,
                                         void* buffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                         cusparseSpMMAlg_t algorithm, size_t* size);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                         cusparseSpMMAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                              cusparseSpMMAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm,
                                                  size_t* size);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                                  size_t* size);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                                void* buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
                                               void* buffer);

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* made);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t old);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t algorithm,
                                         cusparseSpSVDescr_t solution, size_t* size);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                       cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t algorithm,
                                       cusparseSpSVDescr_t solution, void* buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType compute, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t solution);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* made);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t old);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t description, cusparseMatrixType_t type);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t description, cusparseFillMode_t mode);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t description, cusparseDiagType_t type);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t description);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t description, cusparseIndexBase_t base);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* lines, int entries, int rows, int* offsets,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* offsets, int entries, int rows, int* lines,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* made);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t old);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int* position);
cusparseStatus_t cusparseScsrilu02_bufferSize(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, float* values, const int* row_offsets, const int* column_indices,
    csrilu02Info_t info, int* bytes);
cusparseStatus_t cusparseScsrilu02_analysis(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, const float* values, const int* row_offsets, const int* column_indices,
    csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseScsrilu02(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, float* values, const int* row_offsets, const int* column_indices,
    csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseDcsrilu02_bufferSize(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, double* values, const int* row_offsets, const int* column_indices,
    csrilu02Info_t info, int* bytes);
cusparseStatus_t cusparseDcsrilu02_analysis(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, const double* values, const int* row_offsets, const int* column_indices,
    csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseDcsrilu02(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, double* values, const int* row_offsets, const int* column_indices,
    csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* made);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t old);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int* position);
cusparseStatus_t cusparseScsric02_bufferSize(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, float* values, const int* row_offsets, const int* column_indices,
    csric02Info_t info, int* bytes);
cusparseStatus_t cusparseScsric02_analysis(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, const float* values, const int* row_offsets, const int* column_indices,
    csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseScsric02(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, float* values, const int* row_offsets, const int* column_indices,
    csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseDcsric02_bufferSize(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, double* values, const int* row_offsets, const int* column_indices,
    csric02Info_t info, int* bytes);
cusparseStatus_t cusparseDcsric02_analysis(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, const double* values, const int* row_offsets, const int* column_indices,
    csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseDcsric02(cusparseHandle_t handle, int rows, int entries,
    const cusparseMatDescr_t description, double* values, const int* row_offsets, const int* column_indices,
    csric02Info_t info, cusparseSolvePolicy_t policy, void* buffer);

#ifdef __cplusplus
}
#endif

#include "cusparse_results.h"
