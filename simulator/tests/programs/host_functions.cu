// Functions of the host that stand in a stream: in order with its work, and later work of the stream sees what they did.
#include "check.cuh"

__global__ void twice(int* p) { *p *= 2; }

struct Step {
  int* value;
  int add;
};
static void change(void* data) {
  const Step* step = static_cast<const Step*>(data);
  *step->value += step->add;
}
static void callback(cudaStream_t, cudaError_t status, void* data) {
  *static_cast<int*>(data) = static_cast<int>(status) + 100;
}
static void calls_cuda(void* data) { *static_cast<cudaError_t*>(data) = cudaFree(nullptr); }

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int* value;
  CHECK(cudaMallocHost(&value, sizeof(int)));
  *value = 1;
  Step step = {value, 10};
  twice<<<1, 1, 0, stream>>>(value);
  CHECK(cudaLaunchHostFunc(stream, change, &step));
  twice<<<1, 1, 0, stream>>>(value);
  CHECK(cudaLaunchHostFunc(stream, change, &step));
  CHECK(cudaStreamSynchronize(stream));
  printf("value %d\n", *value);
  int status = 0;
  CHECK(cudaStreamAddCallback(stream, callback, &status, 0));
  CHECK(cudaStreamSynchronize(stream));
  printf("callback %d\n", status);
  printf("no function: %s\n", cudaGetErrorName(cudaLaunchHostFunc(stream, nullptr, nullptr)));
  cudaGetLastError();
  cudaError_t inside = cudaSuccess;
  CHECK(cudaLaunchHostFunc(stream, calls_cuda, &inside));
  CHECK(cudaStreamSynchronize(stream));
  printf("CUDA in a host function: %s\n", cudaGetErrorName(inside));
  CHECK(cudaFreeHost(value));
  CHECK(cudaStreamDestroy(stream));
}
