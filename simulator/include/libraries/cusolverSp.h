#pragma once
// cuSOLVER of sparse matrices, as far as the simulated GPU has it, for machines without cuSOLVER: where the real header is
// installed, that one is found first. Names and values: NVIDIA cuSOLVER library manual.
#include "cusolverDn.h"
#include "cusparse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverSpContext* cusolverSpHandle_t;

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* stream);

// A x = b for a matrix of `rows` rows by offsets; `reorder` has no influence on the result.
#define HPML_CUSOLVER_SPARSE(NAME, T, R)                                                                          \
  cusolverStatus_t cusolverSp##NAME(cusolverSpHandle_t handle, int rows, int entries,                             \
                                    const cusparseMatDescr_t description, const T* values, const int* row_offsets, \
                                    const int* column_indices, const T* b, R tolerance, int reorder, T* x,        \
                                    int* singularity);
#define HPML_CUSOLVER_SPARSE_OF(L, T, R)                 \
  HPML_CUSOLVER_SPARSE(L##csrlsvqr, T, R)                \
  HPML_CUSOLVER_SPARSE(L##csrlsvchol, T, R)              \
  HPML_CUSOLVER_SPARSE(L##csrlsvluHost, T, R)            \
  HPML_CUSOLVER_SPARSE(L##csrlsvqrHost, T, R)            \
  HPML_CUSOLVER_SPARSE(L##csrlsvcholHost, T, R)
HPML_CUSOLVER_SPARSE_OF(S, float, float)
HPML_CUSOLVER_SPARSE_OF(D, double, double)
HPML_CUSOLVER_SPARSE_OF(C, cuComplex, float)
HPML_CUSOLVER_SPARSE_OF(Z, cuDoubleComplex, double)
#undef HPML_CUSOLVER_SPARSE_OF
#undef HPML_CUSOLVER_SPARSE

#ifdef __cplusplus
}
#endif
