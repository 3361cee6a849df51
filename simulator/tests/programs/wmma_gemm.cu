// mma.h: tiles of every shape and type against the host, and work on the elements of fragments.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "check.cuh"

using namespace nvcuda;

constexpr int kTiles = 3;  // along k

template <class T>
struct Number {
  static T make(int v) { return static_cast<T>(v); }
  static double value(T v) { return static_cast<double>(v); }
};
template <>
struct Number<__half> {
  static __half make(int v) { return __float2half(static_cast<float>(v)); }
  static double value(__half v) { return __half2float(v); }
};
template <>
struct Number<__nv_bfloat16> {
  static __nv_bfloat16 make(int v) { return __float2bfloat16(static_cast<float>(v)); }
};

// What memory holds of a fragment's element type: precision::tf32 lies in floats.
template <class T>
struct Stored {
  using type = T;
};
template <>
struct Stored<wmma::precision::tf32> {
  using type = float;
};

template <int M, int N, int K, class T, class Sum, class LayoutA, class LayoutB>
__global__ void gemm(const typename Stored<T>::type* a, const typename Stored<T>::type* b, Sum* d, Sum scale) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
  wmma::fill_fragment(sum, Sum(0));
  constexpr bool a_rows = std::is_same<LayoutA, wmma::row_major>::value;
  constexpr bool b_rows = std::is_same<LayoutB, wmma::row_major>::value;
  for (int t = 0; t < kTiles; ++t) {
    wmma::load_matrix_sync(fa, a_rows ? a + t * K : a + t * K * M, a_rows ? kTiles * K : M);
    wmma::load_matrix_sync(fb, b_rows ? b + t * K * N : b + t * K, b_rows ? N : kTiles * K);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) {
    sum.x[i] = sum.x[i] * scale;
  }
  wmma::store_matrix_sync(d, sum, N, wmma::mem_row_major);
}

template <int M, int N, int K, class T, class Sum, class LayoutA, class LayoutB>
int wrong(int low, int high) {
  using Memory = typename Stored<T>::type;
  constexpr int k = kTiles * K;
  constexpr bool a_rows = std::is_same<LayoutA, wmma::row_major>::value;
  constexpr bool b_rows = std::is_same<LayoutB, wmma::row_major>::value;
  std::vector<int> x(M * k), y(k * N);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = low + static_cast<int>(i * 7 % static_cast<size_t>(high - low + 1));
  }
  for (size_t i = 0; i < y.size(); ++i) {
    y[i] = low + static_cast<int>(i * 5 % static_cast<size_t>(high - low + 1));
  }
  std::vector<Memory> a(x.size()), b(y.size());
  for (int r = 0; r < M; ++r) {
    for (int c = 0; c < k; ++c) {
      a[a_rows ? r * k + c : c * M + r] = Number<Memory>::make(x[r * k + c]);
    }
  }
  for (int r = 0; r < k; ++r) {
    for (int c = 0; c < N; ++c) {
      b[b_rows ? r * N + c : c * k + r] = Number<Memory>::make(y[r * N + c]);
    }
  }
  Memory *da = to_device(a), *db = to_device(b);
  Sum* dd = device_array<Sum>(M * N);
  gemm<M, N, K, T, Sum, LayoutA, LayoutB><<<1, 32>>>(da, db, dd, Number<Sum>::make(2));
  check_launch();
  const std::vector<Sum> got = to_host(dd, M * N);
  int bad = 0;
  for (int r = 0; r < M; ++r) {
    for (int c = 0; c < N; ++c) {
      double expected = 0;
      for (int i = 0; i < k; ++i) {
        expected += x[r * k + i] * y[i * N + c];
      }
      bad += Number<Sum>::value(got[r * N + c]) != 2 * expected;
    }
  }
  cudaFree(da);
  cudaFree(db);
  cudaFree(dd);
  return bad;
}

template <int M, int N, int K, class T, class Sum>
void all_layouts(const char* name, int low, int high) {
  using wmma::col_major;
  using wmma::row_major;
  printf("%s m%dn%dk%d: %d %d %d %d\n", name, M, N, K, wrong<M, N, K, T, Sum, row_major, row_major>(low, high),
         wrong<M, N, K, T, Sum, row_major, col_major>(low, high), wrong<M, N, K, T, Sum, col_major, row_major>(low, high),
         wrong<M, N, K, T, Sum, col_major, col_major>(low, high));
}

template <class T, class Sum>
void all_shapes(const char* name, int low, int high) {
  all_layouts<16, 16, 16, T, Sum>(name, low, high);
  all_layouts<32, 8, 16, T, Sum>(name, low, high);
  all_layouts<8, 32, 16, T, Sum>(name, low, high);
}

__global__ void bits(const unsigned int* a, const unsigned int* b, int* d) {
  using wmma::experimental::precision::b1;
  wmma::fragment<wmma::matrix_a, 8, 8, 128, b1, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, b1, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> fd;
  wmma::fill_fragment(fd, 1);
  wmma::load_matrix_sync(fa, a, 128);
  wmma::load_matrix_sync(fb, b, 128);
  wmma::bmma_sync(fd, fa, fb, fd, wmma::experimental::bmmaBitOpXOR);
  wmma::store_matrix_sync(d, fd, 8, wmma::mem_row_major);
}

int wrong_bits() {
  std::vector<unsigned int> a(32), b(32);
  for (unsigned int i = 0; i < 32; ++i) {
    a[i] = i * 2654435761u;
    b[i] = i * 40503u + 7;
  }
  int* d = device_array<int>(64);
  bits<<<1, 32>>>(to_device(a), to_device(b), d);
  check_launch();
  const std::vector<int> got = to_host(d, 64);
  int bad = 0;
  for (int i = 0; i < 64; ++i) {
    int expected = 1;
    for (int word = 0; word < 4; ++word) {
      expected += __builtin_popcount(a[i / 8 * 4 + word] ^ b[i % 8 * 4 + word]);
    }
    bad += got[i] != expected;
  }
  return bad;
}

int main() {
  all_shapes<__half, float>("half float", -9, 9);
  all_shapes<__half, __half>("half half", -3, 3);
  all_shapes<__nv_bfloat16, float>("bfloat16 float", -9, 9);
  all_shapes<signed char, int>("signed char int", -128, 127);
  all_shapes<unsigned char, int>("unsigned char int", 0, 255);
  all_layouts<16, 16, 8, wmma::precision::tf32, float>("tf32 float", -9, 9);
  all_layouts<8, 8, 4, double, double>("double double", -1000, 1000);
  printf("bits m8n8k128: %d\n", wrong_bits());
}
