// Lanes of one warp that go different ways.
#include "cases.cuh"

__global__ void escape_times(int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float cx = -2.0f + 3.0f * x / width, cy = -1.0f + 2.0f * y / height;
  float zx = 0, zy = 0;
  int n = 0;
  while (n < 200 && zx * zx + zy * zy < 4.0f) {
    const float next = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = next;
    ++n;
  }
  out[y * width + x] = n;
}

void mandelbrot() {
  const int width = 1024, height = 768;
  int* out = device_array<int>(width * height);
  escape_times<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(out, width, height);
  print_sum(out, width * height);
}

__global__ void steps_to_one(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long value = i + 1;
  int steps = 0;
  while (value != 1) {
    if (value % 2 == 0) {
      value /= 2;
    } else {
      value = 3 * value + 1;
    }
    ++steps;
  }
  out[i] = steps;
}

void collatz() {
  const int n = 1 << 18;
  int* out = device_array<int>(n);
  steps_to_one<<<n / 128, 128>>>(out, n);
  print_sum(out, n);
}

__global__ void small_programs(const unsigned* code, int* out, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = i, b = 1;
  for (int pc = 0; pc < length; ++pc) {
    switch ((code[pc] >> (threadIdx.x % 16)) % 7) {
      case 0: a += b; break;
      case 1: b ^= a; break;
      case 2: a = a * 5 + 1; break;
      case 3: b -= a >> 3; break;
      case 4: a ^= b << 2; break;
      case 5: b += 17; break;
      default: a -= b; break;
    }
  }
  out[i] = a ^ b;
}

void lane_switch() {
  const int n = 1 << 17, length = 96;
  const unsigned* code = filled<unsigned>(length, noise);
  int* out = device_array<int>(n);
  small_programs<<<n / 128, 128>>>(code, out, length);
  print_sum(out, n);
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void call_fibonacci(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fibonacci(i % 12);
}

void recursion() {
  int* out = device_array<int>(64 * 256);
  call_fibonacci<<<256, 64>>>(out);
  print_sum(out, 64 * 256);
}

__global__ void sort_own(int* x, int per_thread) {
  int mine[24];
  const int base = (blockIdx.x * blockDim.x + threadIdx.x) * per_thread;
  for (int i = 0; i < per_thread; ++i) {
    mine[i] = x[base + i];
  }
  for (int i = 1; i < per_thread; ++i) {
    const int key = mine[i];
    int j = i - 1;
    while (j >= 0 && mine[j] > key) {
      mine[j + 1] = mine[j];
      --j;
    }
    mine[j + 1] = key;
  }
  for (int i = 0; i < per_thread; ++i) {
    x[base + i] = mine[i];
  }
}

void sort_per_thread() {
  const int threads = 1 << 16, per_thread = 24;
  int* x = filled<int>(threads * per_thread, [](unsigned i) { return noise(i); });
  sort_own<<<threads / 128, 128>>>(x, per_thread);
  print_sum(x, threads * per_thread);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"mandelbrot", mandelbrot},
                        {"collatz", collatz},
                        {"lane_switch", lane_switch},
                        {"recursion", recursion},
                        {"sort_per_thread", sort_per_thread}};
  return run_cases(cases, argc, argv);
}
