#pragma once
// The layers between the convolutions. Activations are pixels x channels.

constexpr int kBlock = 256;
inline int blocks(int size) { return (size + kBlock - 1) / kBlock; }

// One block per 32 channels, 8 rows of threads: sums of f(x) and g(x) over all pixels.
template <class First, class Second>
__device__ void channel_sums(int pixels, int channels, First first, Second second, float* sums, float* others) {
  __shared__ float a[8][33], b[8][33];
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32, c = blockIdx.x * 32 + lane;
  float sum = 0, other = 0;
  for (int p = row; p < pixels && c < channels; p += 8) {
    sum += first(p * channels + c, c);
    other += second(p * channels + c, c);
  }
  a[row][lane] = sum;
  b[row][lane] = other;
  __syncthreads();
  if (row == 0 && c < channels) {
    for (int i = 1; i < 8; ++i) {
      sum += a[i][lane];
      other += b[i][lane];
    }
    sums[c] = sum / pixels;
    others[c] = other / pixels;
  }
}

// mean and mean of squares per channel
__global__ void bn_statistics(const float* x, int pixels, int channels, float* mean, float* squares) {
  channel_sums(
      pixels, channels, [x](int i, int) { return x[i]; }, [x](int i, int) { return x[i] * x[i]; }, mean, squares);
}

__global__ void bn_apply(const float* x, const float* mean, const float* squares, int size, int channels, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i % channels;
  if (i < size) {
    y[i] = (x[i] - mean[c]) * rsqrtf(squares[c] - mean[c] * mean[c] + 1e-5F);
  }
}

// means of dy and of dy * xhat per channel
__global__ void bn_sums(const float* x, const float* dy, const float* mean, const float* squares, int pixels,
                        int channels, float* dbeta, float* dgamma) {
  channel_sums(
      pixels, channels, [dy](int i, int) { return dy[i]; },
      [=](int i, int c) { return dy[i] * (x[i] - mean[c]) * rsqrtf(squares[c] - mean[c] * mean[c] + 1e-5F); }, dbeta,
      dgamma);
}

__global__ void bn_gradient(const float* x, const float* dy, const float* mean, const float* squares,
                            const float* dbeta, const float* dgamma, int size, int channels, float* dx) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, c = i % channels;
  if (i < size) {
    const float scale = rsqrtf(squares[c] - mean[c] * mean[c] + 1e-5F);
    dx[i] = scale * (dy[i] - dbeta[c] - (x[i] - mean[c]) * scale * dgamma[c]);
  }
}

__global__ void relu_forward(const float* x, int size, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) {
    y[i] = fmaxf(x[i], 0.0F);
  }
}

__global__ void relu_backward(const float* x, const float* dy, int size, float* dx) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) {
    dx[i] = x[i] > 0 ? dy[i] : 0.0F;
  }
}

// Forward, the sum of two branches; backward, of the gradients that two branches return to one value.
__global__ void add(const float* a, const float* b, int size, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) {
    y[i] = a[i] + b[i];
  }
}

// The mean over all pixels of an image.
__global__ void pool_forward(const float* x, int images, int pixels, int channels, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < images * channels) {
    float sum = 0;
    for (int p = 0; p < pixels; ++p) {
      sum += x[(i / channels * pixels + p) * channels + i % channels];
    }
    y[i] = sum / pixels;
  }
}

__global__ void pool_backward(const float* dy, int images, int pixels, int channels, float* dx) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < images * pixels * channels) {
    dx[i] = dy[i / (pixels * channels) * channels + i % channels] / pixels;
  }
}
