// Products of matrices and vectors, as lab exercises write them.
#include "cases.cuh"

__global__ void naive(const float* a, const float* b, float* c, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += a[row * n + k] * b[k * n + col];
  }
  c[row * n + col] = sum;
}

__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float left[16][16], right[16][16];
  const int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    left[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    }
    __syncthreads();
  }
  c[row * n + col] = sum;
}

template <void (*kernel)(const float*, const float*, float*, int)>
void product() {
  const int n = 384;
  const float* a = filled<float>(n * n, [](unsigned i) { return noise(i) % 9; });
  const float* b = filled<float>(n * n, [](unsigned i) { return noise(i + 7) % 9; });
  float* c = device_array<float>(n * n);
  kernel<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
  print_sum(c, n * n);
}

__global__ void transpose_tiles(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 32; r += 8) {
    tile[r][threadIdx.x] = in[(y + r) * n + x + threadIdx.x];
  }
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) {
    out[(x + r) * n + y + threadIdx.x] = tile[threadIdx.x][r];
  }
}

void transpose() {
  const int n = 1024;
  const float* in = filled<float>(n * n, [](unsigned i) { return noise(i); });
  float* out = device_array<float>(n * n);
  for (int step = 0; step < 4; ++step) {
    transpose_tiles<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out, n);
    const float* const before = in;
    in = out;
    out = const_cast<float*>(before);
  }
  print_sum(out, n * n);
}

__global__ void row_by_warp(const float* a, const float* x, float* y, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int k = lane; k < n; k += 32) {
    sum += a[row * n + k] * x[k];
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, step);
  }
  if (lane == 0) {
    y[row] = sum;
  }
}

void matrix_vector() {
  const int n = 1024;
  const float* a = filled<float>(n * n, [](unsigned i) { return noise(i) % 9; });
  const float* x = filled<float>(n, [](unsigned i) { return i % 3; });
  float* y = device_array<float>(n);
  for (int step = 0; step < 8; ++step) {
    row_by_warp<<<n / 8, 256>>>(a, x, y, n);
    float* const before = y;
    y = const_cast<float*>(x);
    x = before;
  }
  print_sum(y, n);
}

__global__ void filter(const float* in, const float* taps, float* out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      const int sx = x + dx, sy = y + dy;
      if (sx >= 0 && sy >= 0 && sx < width && sy < height) {
        sum += in[sy * width + sx] * taps[(dy + 2) * 5 + dx + 2];
      }
    }
  }
  out[y * width + x] = sum;
}

void convolution() {
  const int width = 1024, height = 1024;
  const float* in = filled<float>(width * height, [](unsigned i) { return noise(i) % 100; });
  const float* taps = filled<float>(25, [](unsigned i) { return i % 5; });
  float* out = device_array<float>(width * height);
  filter<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(in, taps, out, width, height);
  print_sum(out, width * height);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"naive_product", product<naive>},
                        {"tiled_product", product<tiled>},
                        {"transpose", transpose},
                        {"matrix_vector", matrix_vector},
                        {"convolution", convolution}};
  return run_cases(cases, argc, argv);
}
