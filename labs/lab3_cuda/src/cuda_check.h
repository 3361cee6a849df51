#pragma once
// Given, do not modify. Every CUDA call returns an error code, and a kernel that did not start says so only when asked.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// CUDA_CHECK(cudaMalloc(&p, bytes)); stops the program with the line and CUDA's own words when the call fails.
#define CUDA_CHECK(call)                                                                                     \
  do {                                                                                                       \
    const cudaError_t hpml_error_ = (call);                                                                  \
    if (hpml_error_ != cudaSuccess) {                                                                        \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(hpml_error_));        \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)
