#pragma once
// The convolution's three passes as implicit matrix products. NHWC; weights k x k x ci x co.
#include "gemm.cuh"

struct Conv {
  int n, h, w, ci, co, k, stride, pad;
  __host__ __device__ int oh() const { return (h + 2 * pad - k) / stride + 1; }
  __host__ __device__ int ow() const { return (w + 2 * pad - k) / stride + 1; }
  __host__ __device__ int pixels() const { return n * oh() * ow(); }
};

struct Forward : Conv {  // y = windows of x (pixels x k k ci) times w
  static constexpr bool kADeep = true, kBDeep = false;
  const float *x, *weights;
  float* y;
  struct Row {
    int image, top, left;
  };
  __host__ __device__ int rows() const { return pixels(); }
  __host__ __device__ int columns() const { return co; }
  __device__ int taps() const { return k * k; }
  __device__ int depth() const { return ci; }
  __device__ Row row(int m) const {
    if (m >= pixels()) {
      return {0, -(1 << 20), 0};
    }
    return {m / (oh() * ow()), m / ow() % oh() * stride - pad, m % ow() * stride - pad};
  }
  __device__ float a(const Row& r, int tap, int c) const {
    const int i = r.top + tap / k, j = r.left + tap % k;
    return i >= 0 && i < h && j >= 0 && j < w && c < ci ? x[((r.image * h + i) * w + j) * ci + c] : 0.0F;
  }
  __device__ float b(int tap, int c, int o) const { return c < ci && o < co ? weights[(tap * ci + c) * co + o] : 0.0F; }
  __device__ void store(int m, int o, float value) const { y[m * co + o] = value; }
};

struct Data : Conv {  // dx = what each pixel of x met in dy, times w
  static constexpr bool kADeep = true, kBDeep = true;
  const float *weights, *dy;
  float* dx;
  struct Row {
    int image, i, j;
  };
  __host__ __device__ int rows() const { return n * h * w; }
  __host__ __device__ int columns() const { return ci; }
  __device__ int taps() const { return k * k; }
  __device__ int depth() const { return co; }
  __device__ Row row(int m) const {
    if (m >= rows()) {
      return {0, -(1 << 20), 0};
    }
    return {m / (h * w), m / w % h + pad, m % w + pad};
  }
  __device__ float a(const Row& r, int tap, int o) const {
    const int top = r.i - tap / k, left = r.j - tap % k;  // of the window, in steps of one pixel
    if (top < 0 || left < 0 || top % stride != 0 || left % stride != 0 || o >= co) {
      return 0.0F;
    }
    const int i = top / stride, j = left / stride;
    return i < oh() && j < ow() ? dy[((r.image * oh() + i) * ow() + j) * co + o] : 0.0F;
  }
  __device__ float b(int tap, int o, int c) const { return o < co && c < ci ? weights[(tap * ci + c) * co + o] : 0.0F; }
  __device__ void store(int m, int c, float value) const { dx[m * ci + c] = value; }
};

struct Weights : Conv {  // dw of one slice of the pixels (blockIdx.z): x transposed, shifted by each tap, times dy
  static constexpr bool kADeep = false, kBDeep = false;
  const float *x, *dy;
  float* parts;  // slices x k x k x ci x co
  int slice;     // pixels of one
  struct Row {
    int tap_i, tap_j, c;
  };
  __host__ __device__ int rows() const { return k * k * ci; }
  __host__ __device__ int columns() const { return co; }
  __device__ int taps() const { return 1; }
  __device__ int depth() const { return slice; }
  __device__ Row row(int m) const { return {m / ci / k, m / ci % k, m < rows() ? m % ci : -1}; }
  __device__ float a(const Row& r, int, int d) const {
    const int pixel = blockIdx.z * slice + d;
    if (r.c < 0 || pixel >= pixels()) {
      return 0.0F;
    }
    const int image = pixel / (oh() * ow()), i = pixel / ow() % oh() * stride - pad + r.tap_i,
              j = pixel % ow() * stride - pad + r.tap_j;
    return i >= 0 && i < h && j >= 0 && j < w ? x[((image * h + i) * w + j) * ci + r.c] : 0.0F;
  }
  __device__ float b(int, int d, int o) const {
    const int pixel = blockIdx.z * slice + d;
    return pixel < pixels() && o < co ? dy[pixel * co + o] : 0.0F;
  }
  __device__ void store(int m, int o, float value) const { parts[(blockIdx.z * rows() + m) * co + o] = value; }
};

__global__ void add_slices(const float* parts, int slices, int size, float* dw) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) {
    float sum = 0;
    for (int slice = 0; slice < slices; ++slice) {
      sum += parts[slice * size + i];
    }
    dw[i] = sum;
  }
}
