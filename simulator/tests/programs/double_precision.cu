// Double precision: a tiled product of matrices of integers, exact in any order, and a fused multiply-add that is not.
#include "check.cuh"

__global__ void multiply(const double* a, const double* b, double* c, int n) {
  __shared__ double as[8][8], bs[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
  double sum = 0;
  for (int k = 0; k < n; k += 8) {
    as[y][x] = a[row * n + k + x];
    bs[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 8; ++i) {
      sum += as[y][i] * bs[i][x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void residue(double* out, double x) { *out = fma(x, x, -(x * x)); }

int main() {
  const int n = 32;
  std::vector<double> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = (3 * (i / n) + 5 * (i % n)) % 17;
    b[i] = (7 * (i / n) + 2 * (i % n)) % 13;
  }
  double* c = device_array<double>(n * n);
  multiply<<<dim3(4, 4), dim3(8, 8)>>>(to_device(a), to_device(b), c, n);
  check_launch();
  double sum = 0;
  for (double value : to_host(c, n * n)) {
    sum += value;
  }
  printf("sum %.0f\n", sum);
  residue<<<1, 1>>>(c, 1.0 + 1.1102230246251565e-16 * 4);
  check_launch();
  printf("residue %a\n", to_host(c, 1)[0]);
}
