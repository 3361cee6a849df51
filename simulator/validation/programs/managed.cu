// Unified memory.
//   managed add millions=1 blocks=1 threads=1   y = x + y, both filled by the host before; blocks=0: one thread per element
//   managed triad mb=24 room=0                  a = b + s * c by 640 x 256 threads, the second launch, by the host's clock;
//                                               mb for the three arrays, room the MB that the GPU has for them (0: all;
//                                               else one thread per element: the small room holds no walk of all blocks)
#include "bench.cuh"

__global__ void add(int n, const float* x, float* y) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = blockDim.x * gridDim.x;
  for (int i = first; i < n; i += stride) {
    y[i] = x[i] + y[i];
  }
}

__global__ void triad(double* a, const double* b, const double* c, size_t n) {
  const size_t first = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  for (size_t i = first; i < n; i += static_cast<size_t>(blockDim.x) * gridDim.x) {
    a[i] = b[i] + 3.0 * c[i];
  }
}

template <class T>
static T* managed_array(size_t n) {
  T* p = nullptr;
  CHECK(cudaMallocManaged(&p, n * sizeof(T)));
  return p;
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  if (arguments.is("add")) {
    const int n = static_cast<int>(arguments.number("millions", 1) * 1e6);
    const int threads = arguments.integer("threads", 256);
    int blocks = arguments.integer("blocks", 0);
    blocks = blocks == 0 ? (n + threads - 1) / threads : blocks;
    float* x = managed_array<float>(n);
    float* y = managed_array<float>(n);
    for (int i = 0; i < n; ++i) {
      x[i] = 1.0f;
      y[i] = 2.0f;
    }
    result("kernel", event_us([=] { add<<<blocks, threads>>>(n, x, y); }), "us");
  } else if (arguments.is("triad")) {
    const size_t n = static_cast<size_t>(arguments.number("mb", 24) * 1e6 / 24);
    double* arrays[3];
    for (double*& array : arrays) {
      array = managed_array<double>(n);
    }
    if (const double room = arguments.number("room", 0); room > 0) {
      size_t free = 0, total = 0;
      CHECK(cudaMemGetInfo(&free, &total));
      void* taken = nullptr;
      CHECK(cudaMalloc(&taken, free - static_cast<size_t>(room * 1e6)));
    }
    const unsigned blocks = arguments.number("room", 0) > 0 ? static_cast<unsigned>((n + 255) / 256) : 640;
    const auto us = [&] {
      return synchronised_us([&] { triad<<<blocks, 256>>>(arrays[0], arrays[1], arrays[2], n); });
    };
    us();
    result("bandwidth", 24.0 * n / us() * 1e-3, "GB/s");
  } else {
    arguments.unknown("add triad");
  }
}
