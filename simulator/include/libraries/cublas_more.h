#pragma once
// cuBLAS: vectors of any type, rotations with a matrix, transfers on a stream, batches of any type. Included by
// cublas_v2.h inside extern "C".

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void* from, int from_step, void* to, int to_step,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void* from, int from_step, void* to, int to_step,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void* from, int lda, void* to, int ldb,
                                    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void* from, int lda, void* to, int ldb,
                                    cudaStream_t stream);

cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType type_x, int x_step, void* result,
                            cudaDataType type_result, cudaDataType execution);
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType type_x, int x_step, const void* y,
                           cudaDataType type_y, int y_step, void* result, cudaDataType type_result,
                           cudaDataType execution);
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType type_alpha, void* x,
                            cudaDataType type_x, int x_step, cudaDataType execution);
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType type_alpha, const void* x,
                            cudaDataType type_x, int x_step, void* y, cudaDataType type_y, int y_step,
                            cudaDataType execution);

// Sizes and results of 64 bits.
#define HPML_CUBLAS_EXTREME_64(NAME, T) \
  cublasStatus_t cublas##NAME##_v2_64(cublasHandle_t handle, int64_t n, const T* x, int64_t step, int64_t* result);
HPML_CUBLAS_EXTREME_64(Isamax, float)
HPML_CUBLAS_EXTREME_64(Isamin, float)
HPML_CUBLAS_EXTREME_64(Idamax, double)
HPML_CUBLAS_EXTREME_64(Idamin, double)
#undef HPML_CUBLAS_EXTREME_64
#define cublasIsamax_64 cublasIsamax_v2_64
#define cublasIsamin_64 cublasIsamin_v2_64
#define cublasIdamax_64 cublasIdamax_v2_64
#define cublasIdamin_64 cublasIdamin_v2_64

#define HPML_CUBLAS_MODIFIED_ROTATION(L, T)                                                                          \
  cublasStatus_t cublas##L##rotm_v2(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step, const T* param); \
  cublasStatus_t cublas##L##rotmg_v2(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param);
HPML_CUBLAS_MODIFIED_ROTATION(S, float)
HPML_CUBLAS_MODIFIED_ROTATION(D, double)
#undef HPML_CUBLAS_MODIFIED_ROTATION
#define cublasSrotm cublasSrotm_v2
#define cublasDrotm cublasDrotm_v2
#define cublasSrotmg cublasSrotmg_v2
#define cublasDrotmg cublasDrotmg_v2

#define HPML_CUBLAS_SYRKX(L, T)                                                                                       \
  cublasStatus_t cublas##L##syrkx(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n, int k,   \
                                  const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c,      \
                                  int ldc);
HPML_CUBLAS_SYRKX(S, float)
HPML_CUBLAS_SYRKX(D, double)
#undef HPML_CUBLAS_SYRKX

cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                                  int k, const __half* alpha, const __half* const a[], int lda,
                                  const __half* const b[], int ldb, const __half* beta, __half* const c[], int ldc,
                                  int batch);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                                   int k, const void* alpha, const void* const a[], cudaDataType a_type, int lda,
                                   const void* const b[], cudaDataType b_type, int ldb, const void* beta,
                                   void* const c[], cudaDataType c_type, int ldc, int batch,
                                   cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
