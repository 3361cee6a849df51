// The little of the driver API that runtime programs mention: its version, handle types, CUresult's success.
// Programs that call the driver API itself do not link: there is no libcuda here.
#pragma once

#include "driver_types.h"

#define CUDA_VERSION 11080

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
