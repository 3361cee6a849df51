// The interface of cuBLAS before version 2: scalars by value, letters for transposes, results as return values, an error
// that waits. Small whole numbers: every result is exact.
#include <cublas.h>

#include "check.cuh"

int main() {
  printf("initialised: %d\n", cublasInit());
  const int n = 3;
  const float a[9] = {1, 2, 3, 0, 1, 4, 0, 0, 2}, b[9] = {1, 0, 2, 1, 1, 0, 3, 1, 1};  // by columns; a is lower triangular
  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr, c[9];
  cublasAlloc(9, sizeof(float), reinterpret_cast<void**>(&device_a));
  cublasAlloc(9, sizeof(float), reinterpret_cast<void**>(&device_b));
  cublasAlloc(9, sizeof(float), reinterpret_cast<void**>(&device_c));
  cublasSetMatrix(n, n, sizeof(float), a, n, device_a, n);
  cublasSetMatrix(n, n, sizeof(float), b, n, device_b, n);
  cublasSgemm('n', 'T', n, n, n, 1.0f, device_a, n, device_b, n, 0.0f, device_c, n);
  cublasGetMatrix(n, n, sizeof(float), device_c, n, c, n);
  printf("A B^T: %g %g %g, %g %g %g\n", c[0], c[1], c[2], c[6], c[7], c[8]);
  cublasStrsm('L', 'L', 'N', 'N', n, n, 1.0f, device_a, n, device_c, n);  // B^T again
  cublasGetMatrix(n, n, sizeof(float), device_c, n, c, n);
  printf("solved: %g %g %g, %g %g %g\n", c[0], c[1], c[2], c[6], c[7], c[8]);
  printf("dot %g, asum %g, greatest %d\n", cublasSdot(9, device_a, 1, device_b, 1), cublasSasum(9, device_a, 1),
         cublasIsamax(9, device_a, 1));
  cublasSgemv('T', n, n, 2.0f, device_a, n, device_b, 1, 0.0f, device_c, 1);
  cublasGetVector(n, sizeof(float), device_c, 1, c, 1);
  printf("2 A^T x: %g %g %g, error %d\n", c[0], c[1], c[2], cublasGetError());
  cublasFree(device_a);
  printf("shut down: %d\n", cublasShutdown());
  // Last: where this came first, no later call worked on an H100 with CUDA 13, and its error was 0.
  cublasSscal(1, 2.0f, nullptr, 1);
  printf("without cublasInit: %d ", cublasGetError());
  printf("%d\n", cublasGetError());
}
