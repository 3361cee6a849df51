// Kernels as students write them. kernels.ptx is what nvcc 13.0 -arch=sm_75 -ptx makes of this file.
extern "C" __global__ void vector_add(float* a, const float* b, const float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + c[i];
}
extern "C" __global__ void tiled_matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float A[16][16], B[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * 16 + ty, q = blockIdx.x * 16 + tx;
  float s = 0;
  for (int t = 0; t < n / 16; t++) {
    A[ty][tx] = a[r * n + t * 16 + tx];
    B[ty][tx] = b[(t * 16 + ty) * n + q];
    __syncthreads();
    for (int k = 0; k < 16; k++) s += A[ty][k] * B[k][tx];
    __syncthreads();
  }
  c[r * n + q] = s;
}
extern "C" __global__ void convolution(const double* in, const double* f, double* o, int C, int H, int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (x >= W || y >= H) return;
  double s = 0;
  for (int c = 0; c < C; c++)
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++)
        s += f[((k * C + c) * 3 + 2 - j) * 3 + 2 - i] * in[(c * (H + 2) + y + j) * (W + 2) + x + i];
  o[(k * H + y) * W + x] = s;
}
extern "C" __global__ void block_sum(const int* in, int* out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 512 + t] + in[blockIdx.x * 512 + t + 256];
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void stencil(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x < w - 1 && y < h - 1)
    out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
