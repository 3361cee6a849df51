// Thrust on device vectors: every result beside the standard library's on the host.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <numeric>

#include "check.cuh"

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

std::vector<int> numbers(int n) {
  std::vector<int> out;
  unsigned seed = 1;
  for (int i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    out.push_back(static_cast<int>(seed >> 8) % 500 - 250);
  }
  return out;
}

template <class Device>
bool same(const Device& device, const std::vector<int>& host) {
  const thrust::host_vector<int> copy = device;
  return copy.size() == host.size() && std::equal(host.begin(), host.end(), copy.begin());
}

int main() {
  const int n = 5000;
  const std::vector<int> in = numbers(n);
  const thrust::device_vector<int> values(in.begin(), in.end());

  printf("reduce %d\n", thrust::reduce(values.begin(), values.end()) == std::accumulate(in.begin(), in.end(), 0));
  int squares = 0;
  for (const int x : in) {
    squares += x * x;
  }
  printf("transform_reduce %d\n",
         thrust::transform_reduce(values.begin(), values.end(), Square(), 0, thrust::plus<int>()) == squares);

  thrust::device_vector<int> scanned(n);
  std::vector<int> sums(n);
  thrust::inclusive_scan(values.begin(), values.end(), scanned.begin());
  std::partial_sum(in.begin(), in.end(), sums.begin());
  printf("inclusive_scan %d\n", same(scanned, sums));

  thrust::device_vector<int> sorted = values;
  thrust::sort(sorted.begin(), sorted.end());
  std::vector<int> by_host = in;
  std::sort(by_host.begin(), by_host.end());
  printf("sort %d\n", same(sorted, by_host));

  // Equal keys keep their order: many are equal here.
  thrust::device_vector<int> keys = values, places(n);
  thrust::sequence(places.begin(), places.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), places.begin());
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return in[a] < in[b]; });
  printf("stable_sort_by_key %d\n", same(keys, by_host) && same(places, order));
}
