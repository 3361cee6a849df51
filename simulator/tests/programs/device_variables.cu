// __device__ variables: initialised, read and written from both sides, their address and size.
#include "check.cuh"

__device__ int counter = 7;
__device__ int table[3] = {1, 2, 3};
struct Record {
  double d;
  short s;
};
__device__ Record record;
static __device__ unsigned char bytes[5];
namespace {
__constant__ float weights[2];
__device__ int unnamed;
}  // namespace
__constant__ struct {
  int first, second;
} pair;

__global__ void work() {
  atomicAdd(&counter, table[threadIdx.x % 3]);
  if (threadIdx.x == 0) {
    record.d = 2.5;
    record.s = -3;
    bytes[4] = 200;
  }
}

__global__ void read_through(const int* p, int* out) { *out = p[0] + 10 * p[1] + 100 * p[2]; }

__global__ void read_unnamed(float* out) { *out = weights[1] + static_cast<float>(unnamed * pair.second); }

// Variables that only this file can name, or of a type that nothing can.
void unnamed_variables() {
  const float two_weights[2] = {1, 0.5f};
  const int three = 3, numbers[2] = {5, 7};
  CHECK(cudaMemcpyToSymbol(weights, two_weights, sizeof two_weights));
  CHECK(cudaMemcpyToSymbol(unnamed, &three, sizeof three));
  CHECK(cudaMemcpyToSymbol(pair, numbers, sizeof numbers));
  float* out = device_array<float>(1);
  read_unnamed<<<1, 1>>>(out);
  check_launch();
  printf("unnamed %g\n", to_host(out, 1)[0]);
}

int main() {
  work<<<1, 30>>>();
  check_launch();
  int value = 0;
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  printf("counter %d\n", value);
  double d = 0;
  CHECK(cudaMemcpyFromSymbol(&d, record, sizeof d));
  short s = 0;
  CHECK(cudaMemcpyFromSymbol(&s, record, sizeof s, sizeof d));
  unsigned char byte = 0;
  CHECK(cudaMemcpyFromSymbol(&byte, bytes, 1, 4));
  printf("record %.1f %d, byte %d\n", d, s, byte);
  size_t size = 0;
  CHECK(cudaGetSymbolSize(&size, table));
  void* address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, table));
  const int eight = 8;
  CHECK(cudaMemcpyToSymbol(table, &eight, sizeof eight, sizeof(int)));
  int* out = device_array<int>(1);
  read_through<<<1, 1>>>(static_cast<int*>(address), out);
  check_launch();
  printf("size %d, through the address %d\n", static_cast<int>(size), to_host(out, 1)[0]);
  unnamed_variables();
}
