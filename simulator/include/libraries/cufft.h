#pragma once
#define _CUFFT_H_  // headers of others look whether it was included
// cuFFT, for machines without it: where the real header is installed, that one is found first. Names and values: NVIDIA
// cuFFT API reference.
#include <cuComplex.h>
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16
} cufftResult;
typedef enum cufftType_t {
  CUFFT_C2C = 0x29,
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_Z2Z = 0x69,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c
} cufftType;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                          int ostride, int odist, cufftType type, int batch);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* work);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, size_t* work);
cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftGetSize(cufftHandle plan, size_t* work);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocate);
cufftResult cufftSetWorkArea(cufftHandle plan, void* work);
cufftResult cufftGetVersion(int* version);
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* input, cufftComplex* output, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* input, cufftComplex* output);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* input, cufftReal* output);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* input, cufftDoubleComplex* output, int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* input, cufftDoubleComplex* output);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* input, cufftDoubleReal* output);

// Bytes of work that a plan takes.
cufftResult cufftEstimate1d(int n, cufftType type, int batch, size_t* bytes);
cufftResult cufftEstimate2d(int rows, int columns, cufftType type, size_t* bytes);
cufftResult cufftEstimate3d(int x, int y, int z, cufftType type, size_t* bytes);
cufftResult cufftEstimateMany(int rank, int* n, int* in_embed, int in_step, int in_distance, int* out_embed,
                              int out_step, int out_distance, cufftType type, int batch, size_t* bytes);
cufftResult cufftGetSize1d(cufftHandle plan, int n, cufftType type, int batch, size_t* bytes);
cufftResult cufftGetSize2d(cufftHandle plan, int rows, int columns, cufftType type, size_t* bytes);
cufftResult cufftGetSize3d(cufftHandle plan, int x, int y, int z, cufftType type, size_t* bytes);
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* in_embed, int in_step, int in_distance,
                             int* out_embed, int out_step, int out_distance, cufftType type, int batch, size_t* bytes);

#ifdef __cplusplus
}
#endif
