// What every program of this folder needs. A program holds one family of kernels; each kernel is a case with a name.
// `program` lists its cases, `program NAME` runs one and prints a checksum of what it computed.
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#define CHECK(call) check_cuda((call), #call, __LINE__)

inline void check_cuda(cudaError_t error, const char* call, int line) {
  if (error != cudaSuccess) {
    printf("line %d: %s: %s\n", line, call, cudaGetErrorString(error));
    exit(1);
  }
}

inline void finish() {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

// Pseudo-random numbers that are the same on every machine.
inline unsigned noise(unsigned i) {
  unsigned x = i * 2654435761u + 12345u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ (x >> 13);
}

// An array on the device whose element i is value(i).
template <class T, class F>
T* filled(size_t n, F value) {
  std::vector<T> host(n);
  for (size_t i = 0; i < n; ++i) {
    host[i] = static_cast<T>(value(static_cast<unsigned>(i)));
  }
  T* p = nullptr;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  CHECK(cudaMemcpy(p, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

template <class T>
T* zeros(size_t n) {
  T* p = nullptr;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  CHECK(cudaMemset(p, 0, n * sizeof(T)));
  return p;
}

// Waits for the kernels and prints a sum over the words of the array: cheap, because the host's own work is not what is
// measured here.
template <class T>
void print_sum(const T* p, size_t n) {
  static_assert(sizeof(T) % sizeof(unsigned) == 0, "arrays of whole words");
  finish();
  std::vector<unsigned> words(n * (sizeof(T) / sizeof(unsigned)));
  CHECK(cudaMemcpy(words.data(), p, words.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  unsigned long long sum = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    sum += (i + 1) * words[i];
  }
  printf("%016llx\n", sum);
}

struct Case {
  const char* name;
  void (*run)();
};

template <int N>
int run_cases(const Case (&cases)[N], int argc, char** argv) {
  for (const Case& one : cases) {
    if (argc < 2) {
      printf("%s\n", one.name);
    } else if (strcmp(one.name, argv[1]) == 0) {
      one.run();
      return 0;
    }
  }
  return argc < 2 ? 0 : 2;
}
