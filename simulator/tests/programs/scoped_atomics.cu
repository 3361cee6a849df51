// Atomic objects and references of libcu++, and parts of the standard library in device code.
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include "check.cuh"

__device__ cuda::atomic<int, cuda::thread_scope_device> count;
__device__ cuda::atomic<unsigned char, cuda::thread_scope_device> bytes[4];

__global__ void work(int* sum, unsigned int* most, float* halves, unsigned short* small) {
  cuda::atomic_ref<int, cuda::thread_scope_device>(*sum).fetch_add(static_cast<int>(threadIdx.x),
                                                                  cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned int, cuda::thread_scope_block>(most[threadIdx.x % 4]).fetch_max(threadIdx.x);
  cuda::atomic_ref<float, cuda::thread_scope_device>(*halves).fetch_add(0.5f);
  cuda::atomic_ref<unsigned short, cuda::thread_scope_device>(small[threadIdx.x % 2]).fetch_add(1);
  bytes[threadIdx.x % 4].fetch_or(static_cast<unsigned char>(1u << (threadIdx.x / 4 % 8)));
  count.fetch_add(2, cuda::memory_order_acq_rel);
}

__global__ void library(int* out) {
  const cuda::std::array<int, 3> values{1, 2, 3};
  int sum = 0;
  for (int value : values) {
    sum += value;
  }
  const auto both = cuda::std::make_tuple(sum, 2.5f);
  out[0] = cuda::std::get<0>(both) + static_cast<int>(2 * cuda::std::get<1>(both));
  out[1] = cuda::std::numeric_limits<short>::max();
  out[2] = cuda::std::is_same<int, int>::value;
  int expected = 0;
  cuda::atomic_ref<int, cuda::thread_scope_device> last(out[3]);
  out[4] = last.compare_exchange_strong(expected, 9) && !last.compare_exchange_strong(expected, 1) && expected == 9;
  out[5] = count.load() + bytes[2].load();
}

int main() {
  int* sum = device_array<int>(1);
  unsigned int* most = device_array<unsigned int>(4);
  float* halves = device_array<float>(1);
  unsigned short* small = device_array<unsigned short>(2);
  work<<<1, 64>>>(sum, most, halves, small);
  check_launch();
  printf("%d %u %u %g %d\n", to_host(sum, 1)[0], to_host(most, 4)[0], to_host(most, 4)[3], to_host(halves, 1)[0],
         to_host(small, 2)[1]);
  int* out = device_array<int>(6);
  library<<<1, 1>>>(out);
  check_launch();
  for (int value : to_host(out, 6)) {
    printf("%d ", value);
  }
  printf("\n");
}
