// Loops of one thread or of many independent threads, with regular accesses.
#include "cases.cuh"

__global__ void sum_by_one(const float* x, float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i];
  }
  *out = sum;
}

void one_thread_sum() {
  const int n = 2'000'000;
  const float* x = filled<float>(n, [](unsigned i) { return noise(i) % 100; });
  float* out = device_array<float>(1);
  sum_by_one<<<1, 1>>>(x, out, n);
  print_sum(out, 1);
}

__global__ void insertion_by_one(int* x, int n) {
  for (int i = 1; i < n; ++i) {
    const int key = x[i];
    int j = i - 1;
    while (j >= 0 && x[j] > key) {
      x[j + 1] = x[j];
      --j;
    }
    x[j + 1] = key;
  }
}

void one_thread_sort() {
  const int n = 3'000;
  int* x = filled<int>(n, [](unsigned i) { return noise(i) % 10'000; });
  insertion_by_one<<<1, 1>>>(x, n);
  print_sum(x, n);
}

__global__ void axpy(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

void grid_stride_axpy() {
  const int n = 1 << 20;
  const float* x = filled<float>(n, [](unsigned i) { return i % 17; });
  float* y = filled<float>(n, [](unsigned i) { return i % 5; });
  for (int step = 0; step < 8; ++step) {
    axpy<<<160, 256>>>(n, 0.5f * step, x, y);
  }
  print_sum(y, n);
}

__global__ void heat(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    const int i = y * width + x;
    out[i] = in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4 * in[i]);
  }
}

void stencil() {
  const int width = 512, height = 512;
  float* a = filled<float>(width * height, [](unsigned i) { return noise(i) % 64; });
  float* b = filled<float>(width * height, [](unsigned i) { return noise(i) % 64; });
  for (int step = 0; step < 20; ++step) {
    heat<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(a, b, width, height);
    float* const before = a;
    a = b;
    b = before;
  }
  print_sum(a, width * height);
}

__global__ void bodies(const float4* at, float4* force, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = at[i];
  float fx = 0, fy = 0, fz = 0;
  for (int j = 0; j < n; ++j) {
    const float4 other = at[j];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    const float strength = other.w * inverse * inverse * inverse;
    fx += strength * dx;
    fy += strength * dy;
    fz += strength * dz;
  }
  force[i] = make_float4(fx, fy, fz, 0);
}

void n_body() {
  const int n = 3072;
  const float* at = filled<float>(4 * n, [](unsigned i) { return noise(i) % 1000 * 0.01f; });
  float4* force = device_array<float4>(n);
  bodies<<<n / 128, 128>>>(reinterpret_cast<const float4*>(at), force, n);
  print_sum(force, n);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"one_thread_sum", one_thread_sum},
                        {"one_thread_sort", one_thread_sort},
                        {"grid_stride_axpy", grid_stride_axpy},
                        {"stencil", stencil},
                        {"n_body", n_body}};
  return run_cases(cases, argc, argv);
}
