// What every program of this folder needs: arguments key=value, errors, clocks, and results as "name value unit".
// The programs run unchanged on a real GPU: they measure inside themselves, with %clock64, events or the host's clock.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call) check_cuda((call), #call, __FILE__, __LINE__)

inline void check_cuda(cudaError_t error, const char* call, const char* file, int line) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    exit(1);
  }
}

inline void check_kernel() {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

__device__ inline long long cycle_now() {
  long long now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}

__device__ inline int global_thread() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

static __global__ void wait_cycles(long long cycles) {
  const long long begin = cycle_now();
  while (cycle_now() - begin < cycles) {
  }
}

// A card that was idle runs at a fraction of its clock for some milliseconds: a recording of a card sets this variable.
inline void raise_clocks() {
  if (getenv("HPML_RAISE_CLOCKS") != nullptr) {
    wait_cycles<<<1, 32>>>(100'000'000);
    check_kernel();
  }
}

// The words after the first are key=value; a key nobody asks for is a typing error and ends the program.
class Arguments {
 public:
  Arguments(int argc, char** argv) : argc_(argc), argv_(argv) { raise_clocks(); }

  const char* mode() const { return argc_ > 1 ? argv_[1] : ""; }
  bool is(const char* name) const { return strcmp(mode(), name) == 0; }

  double number(const char* key, double otherwise) const {
    const size_t length = strlen(key);
    for (int i = 2; i < argc_; ++i) {
      if (strncmp(argv_[i], key, length) == 0 && argv_[i][length] == '=') {
        return atof(argv_[i] + length + 1);
      }
    }
    return otherwise;
  }
  int integer(const char* key, int otherwise) const { return static_cast<int>(number(key, otherwise)); }

  [[noreturn]] void unknown(const char* modes) const {
    fprintf(stderr, "%s: '%s' is no mode; modes: %s\n", argv_[0], mode(), modes);
    exit(2);
  }

 private:
  int argc_;
  char** argv_;
};

inline void result(const char* name, double value, const char* unit) { printf("%s %.9g %s\n", name, value, unit); }

inline double host_us() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

// Host time of whatever `work` queues, until the GPU has done it.
template <class Work>
double synchronised_us(Work work) {
  CHECK(cudaDeviceSynchronize());
  const double begin = host_us();
  work();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return host_us() - begin;
}

template <class T>
T* device_array(size_t n) {
  T* p = nullptr;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  CHECK(cudaMemset(p, 0, n * sizeof(T)));
  return p;
}

// L2 holds other data afterwards.
inline void evict() {
  constexpr size_t kBytes = size_t{200} << 20;
  void* other = nullptr;
  CHECK(cudaMalloc(&other, kBytes));
  CHECK(cudaMemset(other, 1, kBytes));
  CHECK(cudaFree(other));
}

template <class T>
T read_back(const T* p) {
  T value;
  CHECK(cudaMemcpy(&value, p, sizeof(T), cudaMemcpyDeviceToHost));
  return value;
}

// Time between two events around whatever `work` queues, in microseconds.
template <class Work>
double event_us(Work work) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  work();
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  return ms * 1e3;
}

// Core cycles of `work(n)` per step: two lengths, so that clock reads, start-up and loop entry cancel.
template <class Work>
double cycles_per_step(Work work, int few, int many) {
  const double first = work(few);
  return (work(many) - first) / (many - few);
}

inline int multiprocessors() {
  int count = 0;
  CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}
