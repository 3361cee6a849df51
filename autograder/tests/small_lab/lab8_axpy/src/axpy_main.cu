// Given: calls the axpy() it is linked with. Run: axpy N
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

#include "axpy.h"

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
  }
}

// x[i] = (b i) mod 1009, y[i] = (c i) mod 2003: whole numbers, so that every result is exact.
struct Chosen {
  int a = 2, b = 3, c = 5;
};

Chosen chosen() {
  Chosen one;
  const char* text = getenv("HPML_DATA");
  if (text != nullptr && sscanf(text, "%d,%d,%d", &one.a, &one.b, &one.c) != 3) {
    fprintf(stderr, "HPML_DATA must hold three numbers\n");
    exit(2);
  }
  return one;
}

void dump(const std::vector<float>& result) {
  const char* path = getenv("HPML_DUMP");
  FILE* file = path != nullptr ? fopen(path, "wb") : nullptr;
  if (file != nullptr) {
    fwrite(result.data(), sizeof(float), result.size(), file);
    fclose(file);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc == 2 ? atoi(argv[1]) : 0;
  if (n < 1) {
    fprintf(stderr, "usage: axpy N\n");
    return 2;
  }
  const Chosen data = chosen();
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(data.b * static_cast<long>(i) % 1009);
    y[i] = static_cast<float>(data.c * static_cast<long>(i) % 2003);
  }
  float* on_gpu[2] = {};
  const size_t bytes = n * sizeof(float);
  for (float*& vector : on_gpu) {
    check(cudaMalloc(&vector, bytes));
  }
  check(cudaMemcpy(on_gpu[0], x.data(), bytes, cudaMemcpyHostToDevice));
  check(cudaMemcpy(on_gpu[1], y.data(), bytes, cudaMemcpyHostToDevice));
  axpy(static_cast<float>(data.a), on_gpu[0], on_gpu[1], n);
  check(cudaGetLastError());
  check(cudaMemcpy(y.data(), on_gpu[1], bytes, cudaMemcpyDeviceToHost));
  for (float* vector : on_gpu) {
    check(cudaFree(vector));
  }
  dump(y);
  return 0;
}
