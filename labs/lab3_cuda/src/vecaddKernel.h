#pragma once
// Given, do not modify: the kernel that vecadd.cu launches. C = A + B, N elements per thread.
#include <cuda_runtime.h>

__global__ void AddVectors(const float* A, const float* B, float* C, int N);
