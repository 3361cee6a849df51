// Blocks whose threads meet often: reductions, scans, sorts in shared memory.
#include "cases.cuh"

__global__ void tree_sum(const int* x, int* out) {
  __shared__ int part[256];
  const int t = threadIdx.x;
  part[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) {
      part[t] += part[t + step];
    }
    __syncthreads();
  }
  if (t == 0) {
    out[blockIdx.x] = part[0];
  }
}

void reduction() {
  const int blocks = 12'000;
  const int* x = filled<int>(blocks * 256, [](unsigned i) { return noise(i) % 1000; });
  int* out = device_array<int>(blocks);
  tree_sum<<<blocks, 256>>>(x, out);
  print_sum(out, blocks);
}

__global__ void inclusive_scan(int* x) {
  __shared__ int part[2][512];
  const int t = threadIdx.x;
  int now = 0;
  part[now][t] = x[blockIdx.x * 512 + t];
  __syncthreads();
  for (int step = 1; step < 512; step *= 2) {
    part[1 - now][t] = part[now][t] + (t >= step ? part[now][t - step] : 0);
    now = 1 - now;
    __syncthreads();
  }
  x[blockIdx.x * 512 + t] = part[now][t];
}

void scan() {
  const int blocks = 3'000;
  int* x = filled<int>(blocks * 512, [](unsigned i) { return noise(i) % 1000; });
  inclusive_scan<<<blocks, 512>>>(x);
  print_sum(x, blocks * 512);
}

__global__ void bitonic(int* x) {
  __shared__ int values[512];
  const int t = threadIdx.x;
  values[t] = x[blockIdx.x * 512 + t];
  __syncthreads();
  for (int size = 2; size <= 512; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = t ^ step;
      if (other > t) {
        const int a = values[t], b = values[other];
        if (((t & size) == 0) == (a > b)) {
          values[t] = b;
          values[other] = a;
        }
      }
      __syncthreads();
    }
  }
  x[blockIdx.x * 512 + t] = values[t];
}

void bitonic_sort() {
  const int blocks = 500;
  int* x = filled<int>(blocks * 512, [](unsigned i) { return noise(i); });
  bitonic<<<blocks, 512>>>(x);
  print_sum(x, blocks * 512);
}

__global__ void odd_even(int* x, int n) {
  extern __shared__ int values[];
  const int t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) {
    values[i] = x[blockIdx.x * n + i];
  }
  __syncthreads();
  for (int phase = 0; phase < n; ++phase) {
    const int i = 2 * t + (phase & 1);
    if (i + 1 < n && values[i] > values[i + 1]) {
      const int before = values[i];
      values[i] = values[i + 1];
      values[i + 1] = before;
    }
    __syncthreads();
  }
  for (int i = t; i < n; i += blockDim.x) {
    x[blockIdx.x * n + i] = values[i];
  }
}

void odd_even_sort() {
  const int n = 512, blocks = 64;
  int* x = filled<int>(n * blocks, [](unsigned i) { return noise(i); });
  odd_even<<<blocks, n / 2, n * sizeof(int)>>>(x, n);
  print_sum(x, n * blocks);
}

__global__ void only_barriers(int* out, int n) {
  int mine = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    mine += __syncthreads_count(mine & 1);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

void barrier_loop() {
  int* out = device_array<int>(4 * 1024);
  only_barriers<<<4, 1024>>>(out, 6'000);
  print_sum(out, 4 * 1024);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"reduction", reduction},
                        {"scan", scan},
                        {"bitonic_sort", bitonic_sort},
                        {"odd_even_sort", odd_even_sort},
                        {"barrier_loop", barrier_loop}};
  return run_cases(cases, argc, argv);
}
