// For programs that use NCCL: ends the program when a call fails.
#pragma once
#include <nccl.h>

#include "check.cuh"

#define NCCL(call)                                           \
  do {                                                       \
    const ncclResult_t status = (call);                      \
    if (status != ncclSuccess) {                             \
      printf("%s: %s\n", #call, ncclGetErrorString(status)); \
      exit(1);                                               \
    }                                                        \
  } while (0)
