// Copies and memory calls, by the host's clock.
//   transfer copy mb=4|kib=64 [pinned=1]    to the device and back
//   transfer device mb=512                  on the device; bytes read and written both count
//   transfer allocate mb=4                  second cudaMalloc of the process, mean of two cudaFree
//   transfer managed mb=4                   second cudaMallocManaged; mean of two cudaFree after a kernel used the data
//   transfer first                          first call of the process (context and one cudaMalloc), two more, first launch
#include <vector>

#include "bench.cuh"

template <class Work>
static double host_time_us(Work work) {
  const double begin = host_us();
  work();
  return host_us() - begin;
}

// One word of every 4 KiB page.
__global__ void touch(int* data, size_t n) {
  const size_t i = (blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x) * 1024;
  if (i < n) {
    data[i] += 1;
  }
}

static size_t bytes_of(const Arguments& arguments) {
  const double kib = arguments.number("kib", 0);
  return static_cast<size_t>(kib > 0 ? kib * 1024 : arguments.number("mb", 4) * 1e6);
}

static void copy(size_t bytes, bool pinned) {
  char* device = device_array<char>(bytes);
  char* host = nullptr;
  if (pinned) {
    CHECK(cudaMallocHost(&host, bytes));
  } else {
    host = static_cast<char*>(malloc(bytes));
  }
  memset(host, 1, bytes);
  CHECK(cudaDeviceSynchronize());
  const double up = host_time_us([=] { CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice)); });
  const double down = host_time_us([=] { CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost)); });
  result("h2d_us", up, "us");
  result("d2h_us", down, "us");
  result("h2d_gbs", bytes / up * 1e-3, "GB/s");
  result("d2h_gbs", bytes / down * 1e-3, "GB/s");
}

static void device_copy(size_t bytes) {
  char* a = nullptr;
  char* b = nullptr;
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  const double us = event_us([=] { CHECK(cudaMemcpyAsync(a, b, bytes, cudaMemcpyDeviceToDevice)); });
  result("bandwidth", 2.0 * bytes / us * 1e-3, "GB/s");
}

static void allocate(size_t bytes) {
  char* first = nullptr;
  char* second = nullptr;
  CHECK(cudaMalloc(&first, bytes));
  result("malloc", host_time_us([&] { CHECK(cudaMalloc(&second, bytes)); }), "us");
  CHECK(cudaMemset(first, 1, bytes));
  CHECK(cudaDeviceSynchronize());
  result("free", host_time_us([=] { CHECK(cudaFree(first)); CHECK(cudaFree(second)); }) / 2, "us");
}

static void managed(size_t bytes) {
  int* arrays[2];
  CHECK(cudaMallocManaged(&arrays[0], bytes));
  result("malloc", host_time_us([&] { CHECK(cudaMallocManaged(&arrays[1], bytes)); }), "us");
  for (int* array : arrays) {
    memset(array, 1, bytes);
    const size_t words = bytes / sizeof(int);
    touch<<<static_cast<unsigned>((words / 1024 + 255) / 256), 256>>>(array, words);
    check_kernel();
  }
  result("free", host_time_us([&] { CHECK(cudaFree(arrays[0])); CHECK(cudaFree(arrays[1])); }) / 2, "us");
}

static void first() {
  int* p = nullptr;
  const double context = host_time_us([&] { CHECK(cudaMalloc(&p, 4000000)); });
  result("first_call", context, "us");
  int* more[2];
  const double two = host_time_us([&] {
    CHECK(cudaMalloc(&more[0], 4000000));
    CHECK(cudaMalloc(&more[1], 4000000));
  });
  result("first_and_two", context + two, "us");
  result("first_launch", host_time_us([=] { touch<<<1, 32>>>(p, 32); }), "us");
  check_kernel();
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  if (arguments.is("copy")) {
    copy(bytes_of(arguments), arguments.integer("pinned", 0) != 0);
  } else if (arguments.is("device")) {
    device_copy(bytes_of(arguments));
  } else if (arguments.is("allocate")) {
    allocate(bytes_of(arguments));
  } else if (arguments.is("managed")) {
    managed(bytes_of(arguments));
  } else if (arguments.is("first")) {
    first();
  } else {
    arguments.unknown("copy device allocate managed first");
  }
}
