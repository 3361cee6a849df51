#include "extension.h"
__global__ void direct(const float* image, const float* filter, float* out, Convolution s) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y;
  const int y = i / s.W, x = i % s.W;
  int whole = 0;
  float sum = 0;
  for (int c = 0; c < s.C; ++c) {
    for (int t = 0; t < kTaps; ++t) {
      const int yy = y + t / 3 - 1, xx = x + t % 3 - 1;
      const bool in = yy >= 0 && yy < s.H && xx >= 0 && xx < s.W;
      const float a = in ? image[(c * s.H + yy) * s.W + xx] : 0.0f, f = filter[(k * s.C + c) * kTaps + t];
      if (t < 3) { sum += a * f; } else { whole += static_cast<int>(a) * static_cast<int>(f); }
    }
  }
  out[k * s.H * s.W + i] = sum + static_cast<float>(whole);
}
void convolve(const float* image, const float* filter, float* out, float* scratch, Convolution s) {
  direct<<<dim3(s.H * s.W / 64, s.K), 64>>>(image, filter, out, s);
}
