// libcu++: atomics of every scope, a semaphore as a lock, a latch, and parts of the standard library in device code.
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>

#include <algorithm>

#include "check.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init

struct Sums {
  int counted, swapped, largest;
  unsigned long long wide;
};

__global__ void count(Sums* sums) {
  cuda::atomic_ref<int, cuda::thread_scope_device> counted(sums->counted);
  counted.fetch_add(2, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_system> swapped(sums->swapped);
  int old = swapped.load(cuda::memory_order_acquire);
  while (!swapped.compare_exchange_weak(old, old + 3, cuda::memory_order_acq_rel)) {
  }
  cuda::atomic_ref<int, cuda::thread_scope_device> largest(sums->largest);
  largest.fetch_max(static_cast<int>(blockIdx.x * 1000 + threadIdx.x));
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> wide(sums->wide);
  wide.fetch_add(1ull << 33);
}

__device__ cuda::binary_semaphore<cuda::thread_scope_device> lock(1);
__device__ int guarded;

__global__ void one_at_a_time() {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(Latch) char place[sizeof(Latch)];
  Latch& started = *reinterpret_cast<Latch*>(place);
  if (threadIdx.x == 0) {
    new (place) Latch(blockDim.x);
  }
  __syncthreads();
  started.arrive_and_wait();
  if (threadIdx.x % 16 == 0) {
    lock.acquire();
    const int old = *const_cast<volatile int*>(&guarded);
    __nanosleep(100);
    *const_cast<volatile int*>(&guarded) = old + 1;
    lock.release();
  }
}

__global__ void standard_library(float* real, int* bits) {
  const int i = threadIdx.x;
  const cuda::std::complex<float> z(1.0f, static_cast<float>(i));
  const auto square = z * z;  // 1 - i^2, 2i
  const cuda::std::tuple<int, float> pair(i, square.real());
  const cuda::std::array<int, 3> values{i, cuda::std::numeric_limits<int>::max(), -i};
  real[i] = cuda::std::get<1>(pair) + square.imag();
  bits[i] = cuda::std::popcount(static_cast<unsigned>(values[0] ^ values[1])) * 100 +
            cuda::std::countl_zero(static_cast<unsigned>(i));
}

int main() {
  Sums* sums = device_array<Sums>(1);
  count<<<5, 96>>>(sums);
  check_launch();
  const Sums got = to_host(sums, 1)[0];
  printf("atomics %d %d %d %d\n", got.counted, got.swapped, got.largest, static_cast<int>(got.wide >> 33));

  one_at_a_time<<<6, 64>>>();
  check_launch();
  int entered = 0;
  CHECK(cudaMemcpyFromSymbol(&entered, guarded, sizeof(entered)));
  printf("semaphore %d\n", entered);

  const int n = 64;
  float* real = device_array<float>(n);
  int* bits = device_array<int>(n);
  standard_library<<<1, n>>>(real, bits);
  check_launch();
  const std::vector<float> reals = to_host(real, n);
  const std::vector<int> counts = to_host(bits, n);
  int right = 0;
  for (int i = 0; i < n; ++i) {
    const int zeros = i == 0 ? 32 : __builtin_clz(i);
    right += reals[i] == 1.0f - static_cast<float>(i * i) + 2.0f * i &&
             counts[i] == __builtin_popcount(i ^ 0x7fffffff) * 100 + zeros;
  }
  printf("standard library %d\n", right);
}
