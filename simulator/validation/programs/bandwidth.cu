// Bandwidth of the memory levels.
//   bandwidth OP mb=128 [threads=1024] [one_block=1]       doubles in DRAM, one element per thread, mb per array.
//              OP: init, read, scale, copy, mul, add, triad (two loads), triad4 (three loads), stencil3, stencil5.
//              one_block=1: one block per SM at a time
//   bandwidth l2 kib=4096          every SM reads a buffer that lies in L2, past L1
//   bandwidth segments kib=71680   blocks read segments of 256 KiB in turn, past L1: nobody finds what others fetched,
//                                  unless all of the buffer lies in L2
//   bandwidth l1 width=4|8|16      bytes per clock of one SM, loads of `width` bytes per thread that hit L1
//   bandwidth stride elements=2    cycles per warp load of floats `elements` apart that hit L1
#include "bench.cuh"

enum class Op { init, read, scale, copy, mul, add, triad, triad4, stencil3, stencil5 };

template <Op kOp>
__global__ void stream(double* a, const double* b, const double* c, const double* d, double scalar, size_t n) {
  extern __shared__ char spoiler[];  // its size bounds the blocks per SM
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x + 2;
  if (i + 2 >= n) {
    return;
  }
  switch (kOp) {
    case Op::init: a[i] = scalar; break;
    case Op::read:
      if (b[i] == 1234567.0) {  // never, but the load must happen
        a[i] = 0;
      }
      break;
    case Op::scale:
    case Op::mul: a[i] = scalar * b[i]; break;
    case Op::copy: a[i] = b[i]; break;
    case Op::add: a[i] = b[i] + c[i]; break;
    case Op::triad: a[i] = b[i] + scalar * c[i]; break;
    case Op::triad4: a[i] = b[i] + c[i] * d[i]; break;
    case Op::stencil3: a[i] = scalar * (b[i - 1] + b[i] + b[i + 1]); break;
    case Op::stencil5: a[i] = scalar * (b[i - 2] + b[i - 1] + b[i] + b[i + 1] + b[i + 2]); break;
  }
}

struct Stream {
  const char* name;
  void (*kernel)(double*, const double*, const double*, const double*, double, size_t);
  int passes;  // over an array, loads and stores
};

constexpr Stream kStreams[] = {
    {"init", stream<Op::init>, 1},         {"read", stream<Op::read>, 1},         {"scale", stream<Op::scale>, 2},
    {"copy", stream<Op::copy>, 2},         {"mul", stream<Op::mul>, 2},           {"add", stream<Op::add>, 3},
    {"triad", stream<Op::triad>, 3},       {"triad4", stream<Op::triad4>, 4},     {"stencil3", stream<Op::stencil3>, 2},
    {"stencil5", stream<Op::stencil5>, 2},
};

static double stream_gbs(const Stream& chosen, const Arguments& arguments) {
  const size_t n = static_cast<size_t>(arguments.number("mb", 128) * 1e6 / sizeof(double));
  const int threads = arguments.integer("threads", 1024);
  double* arrays[4];
  for (double*& array : arrays) {
    array = device_array<double>(n);
  }
  int shared = 0;
  if (arguments.integer("one_block", 0) != 0) {
    CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CHECK(cudaFuncSetAttribute(chosen.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  }
  const auto us = [&](size_t elements) {
    return event_us([&] {
      const unsigned blocks = static_cast<unsigned>((elements + threads - 1) / threads);
      chosen.kernel<<<blocks, threads, shared>>>(arrays[0], arrays[1], arrays[2], arrays[3], 3.0, elements);
    });
  };
  us(65536);  // the first launch of a kernel also loads it
  return chosen.passes * static_cast<double>(n) * sizeof(double) / us(n) * 1e-3;
}

static bool stream_one(const char* name, const Arguments& arguments) {
  for (const Stream& candidate : kStreams) {
    if (strcmp(candidate.name, name) == 0) {
      result("bandwidth", stream_gbs(candidate, arguments), "GB/s");
      return true;
    }
  }
  return false;
}

constexpr int kLoads = 8;  // in flight per thread
constexpr int kSegmentLoads = 32;

// Each block reads the whole buffer, from a place of its own on.
__global__ void read_l2(const double* data, uint32_t n, int rounds, double* sink) {
  double sum = 0, values[kLoads];
  uint32_t at = (blockIdx.x * 37u * blockDim.x + threadIdx.x) % n;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
      asm volatile("ld.global.cg.f64 %0, [%1];" : "=d"(values[k]) : "l"(data + at) : "memory");
      at += blockDim.x;
      at = at >= n ? at - n : at;
    }
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
      sum += values[k];
    }
  }
  sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static void l2(const Arguments& arguments) {
  const int threads = 1024, blocks = multiprocessors();
  const uint32_t n = static_cast<uint32_t>(arguments.integer("kib", 4096)) * 1024u / 8;
  const double* data = device_array<double>(n);  // its memset leaves it in L2
  double* sink = device_array<double>(static_cast<size_t>(threads) * blocks);
  const auto run = [&](int rounds) { return event_us([&] { read_l2<<<blocks, threads>>>(data, n, rounds, sink); }); };
  run(2);
  const double us = cycles_per_step(run, 2, 26);  // events tell half microseconds
  const double bytes = 8.0 * kLoads * threads * blocks;
  result("bandwidth", bytes / us * 1e-3, "GB/s");
  int khz = 0;
  CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  result("bytes_per_clock", bytes / us * 1e3 / khz, "B/clk");
}

// Block b reads segment b % segments.
__global__ void read_segments(const double* data, uint32_t segments, double* sink) {
  const double* mine = data + (blockIdx.x % segments) * size_t{kSegmentLoads} * blockDim.x + threadIdx.x;
  double sum = 0, values[kLoads];
  for (int round = 0; round < kSegmentLoads / kLoads; ++round) {
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
      asm volatile("ld.global.cg.f64 %0, [%1];" : "=d"(values[k]) : "l"(mine) : "memory");
      mine += blockDim.x;
    }
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
      sum += values[k];
    }
  }
  sink[threadIdx.x] = sum;
}

static void segments(const Arguments& arguments) {
  const int threads = 1024;
  const double bytes = 8.0 * kSegmentLoads * threads;  // of a block
  const uint32_t count = static_cast<uint32_t>(arguments.integer("kib", 71680) * 1024.0 / bytes);
  const double* data = device_array<double>(static_cast<size_t>(count) * kSegmentLoads * threads);
  double* sink = device_array<double>(threads);
  const auto run = [&](int rounds) {
    return event_us([&] { read_segments<<<count * rounds, threads>>>(data, count, sink); });
  };
  run(1);
  result("bandwidth", bytes * count / cycles_per_step(run, 1, 4) * 1e-3, "GB/s");
}

template <class T>
__device__ void load_l1(const T* address, T& value);
template <>
__device__ void load_l1(const float* address, float& value) {
  asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(address) : "memory");
}
template <>
__device__ void load_l1(const double* address, double& value) {
  asm volatile("ld.global.ca.f64 %0, [%1];" : "=d"(value) : "l"(address) : "memory");
}
template <>
__device__ void load_l1(const float4* address, float4& value) {
  asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
               : "l"(address)
               : "memory");
}

__device__ inline float first(float value) { return value; }
__device__ inline float first(double value) { return static_cast<float>(value); }
__device__ inline float first(float4 value) { return value.x + value.y + value.z + value.w; }

// Warps of one block load the same few lines, lane addresses `stride` elements apart.
template <class T>
__global__ void read_l1(const T* data, int stride, int rounds, float* sink, long long* cycles) {
  const T* mine[4];
  T values[kLoads];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    mine[k] = data + (threadIdx.x % 32 + 32 * k) * stride;
  }
#pragma unroll
  for (int k = 0; k < kLoads; ++k) {  // fetch them
    load_l1(mine[k % 4], values[k]);
    sum += first(values[k]);
  }
  sink[threadIdx.x] = sum;
  __syncthreads();
  const long long begin = cycle_now();
  for (int round = 0; round < 2 * rounds; ++round) {
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
      load_l1(mine[k % 4], values[k]);
    }
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {  // ptxas drops loads that nothing uses
      sum += first(values[k]);
    }
  }
  sink[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    *cycles = cycle_now() - begin;
  }
}

template <class T>
static double cycles_per_warp_load(int stride) {
  const int warps = 32;
  const T* data = device_array<T>(32 * 64 * 5);
  float* sink = device_array<float>(1024);
  long long* cycles = device_array<long long>(1);
  const auto run = [&](int rounds) {
    read_l1<T><<<1, 32 * warps>>>(data, stride, rounds, sink, cycles);
    check_kernel();
    return static_cast<double>(read_back(cycles));
  };
  run(4);  // the first launch of a kernel also loads it
  return cycles_per_step(run, 4, 20) / (2 * kLoads * warps);
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  if (stream_one(arguments.mode(), arguments)) {
    return 0;
  }
  if (arguments.is("l2")) {
    l2(arguments);
  } else if (arguments.is("segments")) {
    segments(arguments);
  } else if (arguments.is("l1")) {
    const int width = arguments.integer("width", 4);
    const double cycles = width == 4   ? cycles_per_warp_load<float>(1)
                          : width == 8 ? cycles_per_warp_load<double>(1)
                                       : cycles_per_warp_load<float4>(1);
    result("bytes_per_clock", 32 * width / cycles, "B/clk");
  } else if (arguments.is("stride")) {
    result("cycles", cycles_per_warp_load<float>(arguments.integer("elements", 1)), "cycles");
  } else {
    arguments.unknown("init read scale copy mul add triad triad4 stencil3 stencil5 l2 segments l1 stride");
  }
}
