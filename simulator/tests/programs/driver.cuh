// For programs of the driver API: a call that must succeed.
#pragma once

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

inline void expect_success(CUresult result, const char* call, int line) {
  if (result != CUDA_SUCCESS) {
    const char* name = "unknown";
    cuGetErrorName(result, &name);
    printf("line %d: %s: %s\n", line, call, name);
    exit(1);
  }
}

#define DRIVER(call) expect_success(call, #call, __LINE__)

// The name of what a call returned.
inline const char* named(CUresult result) {
  const char* name = "unknown";
  cuGetErrorName(result, &name);
  return name;
}

// Makes the primary context of device 0 current.
inline CUcontext use_primary_context() {
  CUdevice device;
  CUcontext context;
  DRIVER(cuInit(0));
  DRIVER(cuDeviceGet(&device, 0));
  DRIVER(cuDevicePrimaryCtxRetain(&context, device));
  DRIVER(cuCtxSetCurrent(context));
  return context;
}
