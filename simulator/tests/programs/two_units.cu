// A kernel launched from another translation unit, and symbols of one name in each unit (static linkage).
#include "check.cuh"

__global__ void defined_elsewhere(int* out, int value);
int value_of_part();

static __device__ int same_name = 1;
static __global__ void same_kernel(int* out) { out[1] = same_name; }

int main() {
  int* out = device_array<int>(2);
  defined_elsewhere<<<1, 1>>>(out, 20);
  same_kernel<<<1, 1>>>(out);
  check_launch();
  const std::vector<int> got = to_host(out, 2);
  printf("%d %d %d\n", got[0], got[1], value_of_part());
}
