// The other half of two_units.cu.
#include "check.cuh"

static __device__ int same_name = 2;
static __global__ void same_kernel(int* out) { *out = 10 * same_name; }

__global__ void defined_elsewhere(int* out, int value) { *out = value + 1; }

int value_of_part() {
  int* out = device_array<int>(1);
  same_kernel<<<1, 1>>>(out);
  check_launch();
  return to_host(out, 1)[0];
}
