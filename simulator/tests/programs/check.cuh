// What every program of this folder needs: stop on an error, arrays to and from the device, a checksum.
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

#define CHECK(call) check_cuda((call), #call, __LINE__)

inline void check_cuda(cudaError_t error, const char* call, int line) {
  if (error != cudaSuccess) {
    printf("line %d: %s: %s\n", line, call, cudaGetErrorString(error));
    exit(1);
  }
}

// After a launch: its own error, then what running it gave.
inline void check_launch() {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

template <class T>
T* device_array(size_t n) {
  T* p = nullptr;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  CHECK(cudaMemset(p, 0, n * sizeof(T)));
  return p;
}

template <class T>
T* to_device(const std::vector<T>& values) {
  T* p = device_array<T>(values.size());
  CHECK(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

template <class T>
std::vector<T> to_host(const T* p, size_t n) {
  std::vector<T> values(n);
  CHECK(cudaMemcpy(values.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

// Sum of (i mod 7 + 1) * value[i]: notices a wrong value and most wrong places.
template <class T>
long long checksum(const std::vector<T>& values) {
  long long sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += static_cast<long long>(i % 7 + 1) * static_cast<long long>(values[i]);
  }
  return sum;
}
