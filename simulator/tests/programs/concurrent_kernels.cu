// Small kernels of different streams run side by side; in one stream, or large ones, they do not.
#include "check.cuh"

__global__ void spin(int* p, int turns) {
  int value = threadIdx.x;
  for (int i = 0; i < turns; ++i) {
    value = value * 3 + 1;
  }
  p[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static float milliseconds_of(int streams, int launches, int blocks, int* p) {
  std::vector<cudaStream_t> all(streams);
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  for (cudaStream_t& stream : all) {
    CHECK(cudaStreamCreate(&stream));
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventRecord(start));
  for (int i = 0; i < launches; ++i) {
    spin<<<blocks, 128, 0, all[i % streams]>>>(p, 30000);
  }
  CHECK(cudaEventRecord(stop));  // the legacy stream waits for all of them
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  return milliseconds;
}

int main() {
  int* p = device_array<int>(320 * 128);
  milliseconds_of(1, 1, 4, p);
  const float alone = milliseconds_of(1, 1, 4, p);
  const float behind = milliseconds_of(1, 4, 4, p);
  const float beside = milliseconds_of(4, 4, 4, p);
  printf("behind each other about four times as long: %d\n", behind > 3.5f * alone && behind < 4.5f * alone);
  printf("side by side about as long as one: %d\n", beside < 1.5f * alone);
  const float large = milliseconds_of(1, 1, 320, p);
  const float two_large = milliseconds_of(2, 2, 320, p);
  printf("two that fill the GPU about twice as long: %d\n", two_large > 1.8f * large && two_large < 2.2f * large);
  CHECK(cudaFree(p));
}
