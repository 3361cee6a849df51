// malloc, free, new and delete in device code; memory outlives the kernel that asked for it.
#include "check.cuh"

__device__ int* kept[32];

__global__ void make() {
  int* p = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int i = 0; i < 4; ++i) {
    p[i] = static_cast<int>(threadIdx.x) * 10 + i;
  }
  int* scratch = new int[100];
  scratch[99] = 5;
  p[0] += scratch[99];
  delete[] scratch;
  kept[threadIdx.x] = p;
}

__global__ void collect(int* out) {
  int* p = kept[threadIdx.x];
  out[threadIdx.x] = p[0] + p[1] + p[2] + p[3];
  free(p);
}

__global__ void too_much(int* out) {
  kept[0] = static_cast<int*>(malloc(static_cast<size_t>(1) << 40));  // kept, or a compiler may leave the call out
  *out = kept[0] == nullptr;
}

int main() {
  make<<<1, 32>>>();
  int* out = device_array<int>(32);
  collect<<<1, 32>>>(out);
  check_launch();
  printf("checksum %lld\n", checksum(to_host(out, 32)));
  too_much<<<1, 1>>>(out);
  check_launch();
  printf("too much is null: %d\n", to_host(out, 1)[0]);
}
