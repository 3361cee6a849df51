// Programs whose time goes into launches, or into starting at all.
#include "cases.cuh"

__global__ void nothing() {}

__global__ void add_one(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += 1;
  }
}

__global__ void global_step(int* x, int size, int step) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, other = t ^ step;
  if (other > t) {
    const int a = x[t], b = x[other];
    if (((t & size) == 0) == (a > b)) {
      x[t] = b;
      x[other] = a;
    }
  }
}

void empty_launches() {
  for (int i = 0; i < 5'000; ++i) {
    nothing<<<1, 32>>>();
  }
  check_launch();
}

void small_launches() {
  int* x = device_array<int>(256);
  for (int i = 0; i < 5'000; ++i) {
    add_one<<<2, 128>>>(x, 256);
  }
  print_sum(x, 256);
}

void bitonic_by_launches() {
  const int n = 1 << 15;
  int* x = filled<int>(n, [](unsigned i) { return noise(i); });
  for (int size = 2; size <= n; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      global_step<<<n / 256, 256>>>(x, size, step);
    }
  }
  print_sum(x, n);
}

void short_program() {
  int* x = device_array<int>(1000);
  add_one<<<4, 256>>>(x, 1000);
  print_sum(x, 1000);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"empty_launches", empty_launches},
                        {"small_launches", small_launches},
                        {"bitonic_by_launches", bitonic_by_launches},
                        {"short_program", short_program}};
  return run_cases(cases, argc, argv);
}
