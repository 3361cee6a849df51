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

__global__ void work() {
  atomicAdd(&counter, table[threadIdx.x % 3]);
  if (threadIdx.x == 0) {
    record.d = 2.5;
    record.s = -3;
    bytes[4] = 200;
  }
}

__global__ void read_through(const int* p, int* out) { *out = p[0] + 10 * p[1] + 100 * p[2]; }

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
}
