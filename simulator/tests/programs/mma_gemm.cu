// A tiled product of half matrices by ldmatrix and mma.sync, in inline PTX; integer and bit products beside it.
#include <cuda_fp16.h>

#include "check.cuh"

constexpr int kM = 64, kN = 32, kK = 48;  // a block computes 32 x 16, a warp 16 x 8

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// a is kM x kK, b kK x kN, both by rows; d = a * b.
__global__ void gemm(const __half* a, const __half* b, float* d) {
  __shared__ __align__(16) __half tile_a[32][16 + 8];
  __shared__ __align__(16) __half tile_b[16][16 + 8];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = blockIdx.y * 32, col = blockIdx.x * 16;
  const int warp_row = warp / 2 * 16, warp_col = warp % 2 * 8;
  float sum[4] = {0, 0, 0, 0};
  for (int k = 0; k < kK; k += 16) {
    for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x) {
      tile_a[i / 16][i % 16] = a[(row + i / 16) * kK + k + i % 16];
    }
    for (int i = threadIdx.x; i < 16 * 16; i += blockDim.x) {
      tile_b[i / 16][i % 16] = b[(k + i / 16) * kN + col + i % 16];
    }
    __syncthreads();
    unsigned ra[4], rb[2];
    const unsigned at_a = shared_address(&tile_a[warp_row + lane % 16][lane / 16 * 8]);
    const unsigned at_b = shared_address(&tile_b[lane % 16][warp_col]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"(at_a)
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1])
                 : "r"(at_b)
                 : "memory");
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    d[(row + warp_row + lane / 4 + i / 2 * 8) * kN + col + warp_col + lane % 4 * 2 + i % 2] = sum[i];
  }
}

// One m16n8k32 product of signed by unsigned bytes, saturated, and one m16n8k256 of bits.
__global__ void small_products(int* bytes, int* bits) {
  const int lane = threadIdx.x;
  const unsigned all = 0x7f7f7f7fu, ones = 0xffffffffu;
  int d[4];
  const int c[4] = {2147480000, -5, lane, 0};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, "
      "{%6, %7, %8, %9};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(all), "r"(ones), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  for (int i = 0; i < 4; ++i) {
    bytes[lane * 4 + i] = d[i];
  }
  const unsigned mine = 0x01010101u << (lane / 4 % 8);
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
      "{%5, %5, %5, %5};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(mine), "r"(0));
  for (int i = 0; i < 4; ++i) {
    bits[lane * 4 + i] = d[i];
  }
}

int main() {
  std::vector<__half> a(kM * kK), b(kK * kN);
  std::vector<int> x(a.size()), y(b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    x[i] = static_cast<int>(i * 11 % 19) - 9;
    a[i] = __float2half(static_cast<float>(x[i]));
  }
  for (size_t i = 0; i < b.size(); ++i) {
    y[i] = static_cast<int>(i * 7 % 17) - 8;
    b[i] = __float2half(static_cast<float>(y[i]));
  }
  __half *da = to_device(a), *db = to_device(b);
  float* dd = device_array<float>(kM * kN);
  gemm<<<dim3(kN / 16, kM / 32), 128>>>(da, db, dd);
  check_launch();
  const std::vector<float> d = to_host(dd, kM * kN);
  int wrong = 0;
  for (int r = 0; r < kM; ++r) {
    for (int c = 0; c < kN; ++c) {
      int sum = 0;
      for (int k = 0; k < kK; ++k) {
        sum += x[r * kK + k] * y[k * kN + c];
      }
      wrong += d[r * kN + c] != static_cast<float>(sum);
    }
  }
  printf("gemm: %d wrong of %d\n", wrong, kM * kN);
  int *bytes = device_array<int>(128), *bits = device_array<int>(128);
  small_products<<<1, 32>>>(bytes, bits);
  check_launch();
  const std::vector<int> by = to_host(bytes, 128), bi = to_host(bits, 128);
  printf("bytes: %d %d %d %d\n", by[0], by[1], by[2], by[127]);
  // Row g and column 2t have a bit in common where g = 2t: bit g of each of the 32 bytes.
  printf("bits: %d %d %d %d\n", bi[0], bi[1], bi[4 * 4], bi[9 * 4]);
}
