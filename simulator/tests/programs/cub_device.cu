// CUB over the whole device: reduce, scan, radix sort, histogram, select, each asked for its scratch memory first.
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <numeric>

#include "check.cuh"

template <class Algorithm>
void run(Algorithm algorithm) {
  void* scratch = nullptr;
  size_t bytes = 0;
  CHECK(algorithm(scratch, bytes));
  CHECK(cudaMalloc(&scratch, bytes));
  CHECK(algorithm(scratch, bytes));
  CHECK(cudaFree(scratch));
}

struct Small {
  __host__ __device__ bool operator()(int x) const { return x < 300; }
};

int main() {
  const int n = 6000;
  std::vector<int> in(n);
  unsigned seed = 3;
  for (int& x : in) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<int>(seed >> 16) % 1000;
  }
  int* device_in = to_device(in);
  int* out = device_array<int>(n);
  int* one = device_array<int>(1);

  run([&](void* scratch, size_t& bytes) { return cub::DeviceReduce::Sum(scratch, bytes, device_in, one, n); });
  printf("reduce %d\n", to_host(one, 1)[0] == std::accumulate(in.begin(), in.end(), 0));

  run([&](void* scratch, size_t& bytes) { return cub::DeviceScan::InclusiveSum(scratch, bytes, device_in, out, n); });
  std::vector<int> expected(n);
  std::partial_sum(in.begin(), in.end(), expected.begin());
  printf("scan %d\n", to_host(out, n) == expected);

  run([&](void* scratch, size_t& bytes) { return cub::DeviceRadixSort::SortKeys(scratch, bytes, device_in, out, n); });
  expected = in;
  std::sort(expected.begin(), expected.end());
  printf("radix sort %d\n", to_host(out, n) == expected);

  const int bins = 10;
  int* counts = device_array<int>(bins);
  run([&](void* scratch, size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(scratch, bytes, device_in, counts, bins + 1, 0, 1000, n);
  });
  std::vector<int> histogram(bins);
  for (const int x : in) {
    ++histogram[x / 100];
  }
  printf("histogram %d\n", to_host(counts, bins) == histogram);

  run([&](void* scratch, size_t& bytes) {
    return cub::DeviceSelect::If(scratch, bytes, device_in, out, one, n, Small());
  });
  expected.clear();
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected), Small());
  const int selected = to_host(one, 1)[0];
  printf("select %d\n", to_host(out, selected) == expected);
}
