// The course's vector additions.
//   vecadd add millions=10 blocks=1 threads=256 [host_timer=1]   y = x + y; blocks=0: one thread per element;
//                                                   host_timer=1: the host's clock around launch and synchronisation
//   vecadd coalesced|uncoalesced values=500         z = x + y by 60 x 128 threads, `values` elements each
#include <vector>

#include "bench.cuh"

__global__ void add(int n, const float* x, float* y) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = blockDim.x * gridDim.x;
  for (int i = first; i < n; i += stride) {
    y[i] = x[i] + y[i];
  }
}

// Each thread adds a run of neighbours: the lanes of a warp are `values` elements apart.
__global__ void add_runs(const float* x, const float* y, float* z, int values) {
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * values;
  for (int i = begin; i < begin + values; ++i) {
    z[i] = x[i] + y[i];
  }
}

// Each warp adds neighbours together.
__global__ void add_strided(const float* x, const float* y, float* z, int values) {
  const int threads = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < threads * values; i += threads) {
    z[i] = x[i] + y[i];
  }
}

static void add_all(const Arguments& arguments) {
  const int n = static_cast<int>(arguments.number("millions", 1) * 1e6);
  const int threads = arguments.integer("threads", 256);
  int blocks = arguments.integer("blocks", 0);
  blocks = blocks == 0 ? (n + threads - 1) / threads : blocks;
  const std::vector<float> ones(n, 1.0f);
  float* x = device_array<float>(n);
  float* y = device_array<float>(n);
  CHECK(cudaMemcpy(x, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(y, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  const auto launch = [=] { add<<<blocks, threads>>>(n, x, y); };
  result("time", arguments.integer("host_timer", 0) != 0 ? synchronised_us(launch) : event_us(launch), "us");
}

static void add_part(int values, bool coalesced) {
  const int blocks = 60, threads = 128;
  const size_t n = static_cast<size_t>(blocks) * threads * values;
  float* arrays[3];
  for (float*& array : arrays) {
    array = device_array<float>(n);
  }
  const auto us = [&](int each) {
    return event_us([&] {
      (coalesced ? add_strided : add_runs)<<<blocks, threads>>>(arrays[0], arrays[1], arrays[2], each);
    });
  };
  us(1);  // the first launch of a kernel also loads it
  result("bandwidth", 3.0 * n * sizeof(float) / us(values) * 1e-3, "GB/s");
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  if (arguments.is("add")) {
    add_all(arguments);
  } else if (arguments.is("coalesced") || arguments.is("uncoalesced")) {
    add_part(arguments.integer("values", 500), arguments.is("coalesced"));
  } else {
    arguments.unknown("add coalesced uncoalesced");
  }
}
