// Threads that update the same memory.
#include "cases.cuh"

__global__ void histogram_of(const unsigned* x, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[x[i] % 256], 1u);
  }
}

__global__ void histogram_by_block(const unsigned* x, unsigned* bins, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[x[i] % 256], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

template <void (*kernel)(const unsigned*, unsigned*, int)>
void histogram() {
  const int n = 1 << 22;
  const unsigned* x = filled<unsigned>(n, noise);
  unsigned* bins = device_array<unsigned>(256);
  kernel<<<64, 256>>>(x, bins, n);
  print_sum(bins, 256);
}

__global__ void sum_floats(const float* x, float* sum, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(sum, x[i]);
  }
}

void one_address() {
  const int n = 1 << 22;
  const float* x = filled<float>(n, [](unsigned i) { return i % 8; });
  float* sum = device_array<float>(1);
  sum_floats<<<64, 256>>>(x, sum, n);
  print_sum(sum, 1);
}

__global__ void insert(const unsigned* keys, unsigned* table, int n, unsigned size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  const unsigned key = keys[i] | 1u;
  unsigned at = key * 2654435761u % size;
  while (true) {
    const unsigned before = atomicCAS(&table[at], 0u, key);
    if (before == 0 || before == key) {
      return;
    }
    at = (at + 1) % size;
  }
}

void hash_table() {
  const int n = 1'200'000;
  const unsigned size = 1 << 21;
  const unsigned* keys = filled<unsigned>(n, noise);
  unsigned* table = device_array<unsigned>(size);
  insert<<<(n + 255) / 256, 256>>>(keys, table, n, size);
  print_sum(table, size);
}

__global__ void take_turns(int* lock, int* shared_count, int n) {
  for (int i = 0; i < n; ++i) {
    bool done = false;
    while (!done) {
      if (atomicCAS(lock, 0, 1) == 0) {
        *static_cast<volatile int*>(shared_count) += 1;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
      }
    }
  }
}

void spin_lock() {
  int* lock = device_array<int>(1);
  int* count = device_array<int>(1);
  take_turns<<<16, 64>>>(lock, count, 300);
  print_sum(count, 1);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"histogram_global", histogram<histogram_of>},
                        {"histogram_shared", histogram<histogram_by_block>},
                        {"one_address", one_address},
                        {"hash_table", hash_table},
                        {"spin_lock", spin_lock}};
  return run_cases(cases, argc, argv);
}
