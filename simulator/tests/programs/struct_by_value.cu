// Structs as kernel arguments: pointers inside, odd sizes, arrays, alignment between arguments.
#include "check.cuh"

struct Matrix {
  int width, height, stride;
  float* elements;
};
struct Odd {
  char bytes[5];
  short tail[3];
};
struct Nested {
  double weights[4];
  Matrix matrix;
  bool flag;
};

__global__ void multiply(const Matrix a, char c, const Nested b, Odd odd, Matrix out) {
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < a.width; ++k) {
    sum += a.elements[y * a.stride + k] * b.matrix.elements[k * b.matrix.stride + x];
  }
  out.elements[y * out.stride + x] =
      sum + (b.flag ? static_cast<float>(b.weights[x % 4]) : 0.0f) + odd.bytes[x % 5] + odd.tail[y % 3] + c;
}

int main() {
  const int n = 8;
  std::vector<float> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>((3 * (i / n) + 5 * (i % n)) % 17);
    b[i] = static_cast<float>((7 * (i / n) + 2 * (i % n)) % 13);
  }
  const Matrix ma = {n, n, n, to_device(a)};
  const Nested nb = {{1, 2, 3, 4}, {n, n, n, to_device(b)}, true};
  const Odd odd = {{1, 2, 3, 4, 5}, {-1, -2, -3}};
  const Matrix mc = {n, n, n, device_array<float>(n * n)};
  multiply<<<1, dim3(n, n)>>>(ma, 'A', nb, odd, mc);
  check_launch();
  printf("sizes %d %d %d\n", static_cast<int>(sizeof(Matrix)), static_cast<int>(sizeof(Odd)),
         static_cast<int>(sizeof(Nested)));
  printf("checksum %lld\n", checksum(to_host(mc.elements, n * n)));
}
