// Accesses a little outside of an allocation: a GPU lets them pass, for its pages are larger, and so does the simulated
// one, with one warning. Far outside there is no page: a TiB away, for what the driver keeps lies around the arrays (64 MiB
// away an H100 still has pages).
// CHECK invalid_global_read invalid_global_write stops
#include "check.cuh"

__global__ void sums(const int* in, int* out, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i <= n) {  // one too many
    out[i] = in[i] + in[i + 1];
  }
}

int main() {
  constexpr int kCount = 100;
  std::vector<int> numbers(kCount);
  for (int i = 0; i < kCount; ++i) {
    numbers[i] = i;
  }
  int* in = to_device(numbers);
  int* out = device_array<int>(kCount);
  sums<<<1, 128>>>(in, out, kCount);
  printf("a little outside: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  sums<<<1, 128>>>(in + (1ll << 38), out, kCount);
  printf("far outside: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
