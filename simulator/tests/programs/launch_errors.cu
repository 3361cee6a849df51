// Launches that must be refused, and the rules of the last error.
#include "check.cuh"

__global__ void nothing(int* p) {
  if (p) {
    *p = 1;
  }
}

void show(const char* what) { printf("%s: %s\n", what, cudaGetErrorName(cudaGetLastError())); }

int main() {
  nothing<<<1, 1025>>>(nullptr);
  show("1025 threads");
  nothing<<<0, 32>>>(nullptr);
  show("no block");
  nothing<<<1, 0>>>(nullptr);
  show("no thread");
  nothing<<<dim3(1, 65536), 32>>>(nullptr);
  show("grid y 65536");
  nothing<<<1, dim3(1, 1, 65)>>>(nullptr);
  show("block z 65");
  nothing<<<1, 32, 49 * 1024>>>(nullptr);
  show("49 KiB of shared memory");
  nothing<<<1, 2000>>>(nullptr);
  printf("peek: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  CHECK(cudaDeviceSynchronize());
  show("a good call keeps the error");
  show("reading it clears it");
  nothing<<<2, 32>>>(nullptr);
  check_launch();
  printf("%s\n", cudaGetErrorString(cudaErrorInvalidConfiguration));
  printf("%s\n", cudaGetErrorString(static_cast<cudaError_t>(12345)));
  printf("%s\n", cudaGetErrorName(cudaSetDevice(1000)));
}
