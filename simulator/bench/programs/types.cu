// Other types than float and int: double, half, tensor cores, 64-bit integers.
#include <cuda_fp16.h>

#include "cases.cuh"

__global__ void polynomial(const double* x, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double v = x[i];
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    sum = sum * v + 1.0 / (k + 1);
  }
  y[i] = sum + sqrt(v);
}

void fp64_polynomial() {
  const int threads = 1 << 17;
  const double* x = filled<double>(threads, [](unsigned i) { return noise(i) % 1000 * 0.0005; });
  double* y = device_array<double>(threads);
  polynomial<<<threads / 256, 256>>>(x, y, 200);
  print_sum(y, threads);
}

__global__ void half_axpy(const __half2* x, __half2* y, int n) {
  const __half2 a = __floats2half2_rn(1.5f, 0.5f);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    __half2 sum = y[i];
    for (int k = 0; k < 8; ++k) {
      sum = __hfma2(a, x[i], sum);
    }
    y[i] = sum;
  }
}

void half_products() {
  const int n = 1 << 20;
  const unsigned* x = filled<unsigned>(n, [](unsigned i) { return 0x2c002e00u + (noise(i) & 0x00ff00ffu); });
  unsigned* y = device_array<unsigned>(n);
  half_axpy<<<64, 256>>>(reinterpret_cast<const __half2*>(x), reinterpret_cast<__half2*>(y), n);
  print_sum(y, n);
}

// One warp computes a 16 x 16 tile of C = A B with the tensor cores; A by rows, B by columns, K a multiple of 16.
__global__ void tensor_tiles(const __half* a, const __half* b, float* c, int n) {
  const int row = blockIdx.y * 16, col = (blockIdx.x * blockDim.x / 32 + threadIdx.x / 32) * 16;
  float d[8] = {};
  for (int k = 0; k < n; k += 16) {
    unsigned fa[8], fb[8];
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]), "=r"(fa[4]), "=r"(fa[5]), "=r"(fa[6]),
                   "=r"(fa[7])
                 : "l"(a + row * n + k), "r"(n));
    asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"
                 : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3]), "=r"(fb[4]), "=r"(fb[5]), "=r"(fb[6]),
                   "=r"(fb[7])
                 : "l"(b + col * n + k), "r"(n));
    asm volatile(
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, "
        "{%8,%9,%10,%11,%12,%13,%14,%15}, {%16,%17,%18,%19,%20,%21,%22,%23}, {%0,%1,%2,%3,%4,%5,%6,%7};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fa[4]), "r"(fa[5]), "r"(fa[6]), "r"(fa[7]), "r"(fb[0]),
          "r"(fb[1]), "r"(fb[2]), "r"(fb[3]), "r"(fb[4]), "r"(fb[5]), "r"(fb[6]), "r"(fb[7]));
  }
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8}, %9;" ::"l"(
                   c + row * n + col),
               "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]), "f"(d[4]), "f"(d[5]), "f"(d[6]), "f"(d[7]), "r"(n)
               : "memory");
}

void tensor_product() {
  const int n = 320;
  const auto small = [](unsigned i) { return 0x3000u + noise(i) % 0x400u; };  // halves from 0.125 to 0.25
  const unsigned short* a = filled<unsigned short>(n * n, small);
  const unsigned short* b = filled<unsigned short>(n * n, small);
  float* c = device_array<float>(n * n);
  tensor_tiles<<<dim3(n / 64, n / 16), 128>>>(reinterpret_cast<const __half*>(a), reinterpret_cast<const __half*>(b), c,
                                              n);
  print_sum(c, n * n);
}

__global__ void random_walk(unsigned long long* state, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long x = state[i];
  for (int k = 0; k < n; ++k) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    x += x % 1000003ull;
  }
  state[i] = x;
}

void integers_64() {
  const int threads = 1 << 17;
  unsigned long long* x = filled<unsigned long long>(threads, [](unsigned i) { return noise(i) + 1; });
  random_walk<<<threads / 256, 256>>>(x, 200);
  print_sum(x, threads);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"fp64_polynomial", fp64_polynomial},
                        {"half_products", half_products},
                        {"tensor_product", tensor_product},
                        {"integers_64", integers_64}};
  return run_cases(cases, argc, argv);
}
