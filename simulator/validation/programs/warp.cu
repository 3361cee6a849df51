// Barriers, fences, shuffles and shared-memory conflicts: one block, cycles per operation.
//   warp syncthreads threads=256     warp syncwarp     warp fence     warp gridsync
//   warp shuffle warps=1 [down=1]    dependent exchanges; with 32 warps the throughput shows
//   warp conflict ways=4             dependent shared loads of one warp, `ways` lanes to each bank
//   warp ldmatrix matrices=1|2|4     dependent matrix loads
//   warp shared_bandwidth            conflict-free 32-bit loads on every SM
#include <cooperative_groups.h>

#include "bench.cuh"

constexpr int kUnroll = 32;  // the loop around the operations shall not show

__global__ void barriers(int count, long long* cycles) {
  __syncthreads();
  const long long begin = cycle_now();
  for (int i = 0; i < count; i += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      __syncthreads();
    }
  }
  const long long end = cycle_now();
  if (threadIdx.x == 0) {
    *cycles = end - begin;
  }
}

__global__ void warp_barriers(int count, long long* cycles) {
  const long long begin = cycle_now();
  for (int i = 0; i < count; i += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      __syncwarp();
    }
  }
  *cycles = cycle_now() - begin;
}

__global__ void fences(int count, int* data, long long* cycles) {
  const long long begin = cycle_now();
  for (int i = 0; i < count; ++i) {
    data[threadIdx.x] = i;
    __threadfence();
  }
  *cycles = cycle_now() - begin;
}

__global__ void grid_barriers(int count, long long* cycles) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const long long begin = cycle_now();
  for (int i = 0; i < count; ++i) {
    grid.sync();
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *cycles = cycle_now() - begin;
  }
}

template <bool kDown>
__global__ void shuffles(int count, int* sink, long long* cycles) {
  int value = threadIdx.x;
  const int source = (threadIdx.x + 1) % 32;
  __syncthreads();
  const long long begin = cycle_now();
  for (int i = 0; i < count; i += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      value = kDown ? __shfl_down_sync(0xffffffffu, value, 1) : __shfl_sync(0xffffffffu, value, source);
    }
  }
  sink[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    *cycles = cycle_now() - begin;
  }
}

// Every lane loads the address at its own place again and again.
__global__ void conflicts(int ways, int count, uint32_t* sink, long long* cycles) {
  __shared__ uint32_t places[32 * 32];
  uint32_t base;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(places));
  const uint32_t word = (threadIdx.x % ways) * 32 + threadIdx.x / ways;  // `ways` lanes in one bank
  uint32_t p = base + 4 * word;
  places[word] = p;
  __syncwarp();
  const long long begin = cycle_now();
  for (int i = 0; i < count; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p)::"memory");
    }
  }
  sink[threadIdx.x] = p;
  *cycles = cycle_now() - begin;
}

template <int kMatrices>
__device__ uint32_t load_matrices(uint32_t address) {
  uint32_t first, second, third, fourth;
  if (kMatrices == 1) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(first) : "r"(address) : "memory");
  } else if (kMatrices == 2) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(first), "=r"(second)
                 : "r"(address)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(first), "=r"(second), "=r"(third), "=r"(fourth)
                 : "r"(address)
                 : "memory");
  }
  return first;
}

// Lane 4r + w receives word w of row r of the first matrix: there it finds its own address again.
template <int kMatrices>
__global__ void matrix_loads(int count, uint32_t* sink, long long* cycles) {
  __shared__ __align__(16) uint32_t rows[32][4];
  uint32_t base;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(rows));
  for (int w = 0; w < 4; ++w) {
    rows[threadIdx.x][w] = base + 16 * ((4 * threadIdx.x + w) % 32);
  }
  __syncwarp();
  uint32_t p = base + 16 * threadIdx.x;
  const long long begin = cycle_now();
  for (int i = 0; i < count; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      p = load_matrices<kMatrices>(p);
    }
  }
  sink[threadIdx.x] = p;
  *cycles = cycle_now() - begin;
}

__global__ void shared_reads(int count, uint32_t* sink) {
  __shared__ uint32_t words[2048];
  uint32_t base;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(words));
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) {
    words[i] = i;
  }
  __syncthreads();
  const uint32_t mine = base + 4 * threadIdx.x;
  uint32_t sum = 0, values[8];
  for (int i = 0; i < count; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(values[k]) : "r"(mine + 512 * k) : "memory");
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) {  // ptxas drops loads that nothing uses
      sum += values[k];
    }
  }
  sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static void grid_sync(long long* cycles) {
  const auto run = [cycles](int count) {
    long long* out = cycles;
    void* parameters[] = {&count, &out};
    return event_us([&] {
      CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(grid_barriers), dim3(multiprocessors()), dim3(32),
                                        parameters, size_t{0}, nullptr));
    });
  };
  run(4);  // the first launch of a kernel also loads it
  result("time", cycles_per_step(run, 4, 24), "us");
}

static void shared_bandwidth(uint32_t* sink) {
  const int blocks = multiprocessors(), threads = 512;
  const auto run = [&](int count) { return event_us([&] { shared_reads<<<blocks, threads>>>(count, sink); }); };
  run(16);
  const double us = cycles_per_step(run, 256, 2304);  // events tell half microseconds
  result("bandwidth", 4.0 * blocks * threads / us * 1e-3, "GB/s");
  int khz = 0;
  CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  result("bytes_per_clock", 4.0 * threads / us * 1e3 / khz, "B/clk");  // of one SM
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  long long* cycles = device_array<long long>(1);
  uint32_t* sink = device_array<uint32_t>(1 << 20);
  int* words = reinterpret_cast<int*>(sink);
  const auto timed = [&](auto launch) {
    return [&cycles, launch](int count) {
      launch(count);
      check_kernel();
      return static_cast<double>(read_back(cycles));
    };
  };
  if (arguments.is("syncthreads")) {
    const int threads = arguments.integer("threads", 32);
    const auto run = timed([=](int count) { barriers<<<1, threads>>>(count, cycles); });
    result("latency", cycles_per_step(run, 64, 320), "cycles");
  } else if (arguments.is("syncwarp")) {
    const auto run = timed([=](int count) { warp_barriers<<<1, 32>>>(count, cycles); });
    result("latency", cycles_per_step(run, 64, 576), "cycles");
  } else if (arguments.is("fence")) {
    const auto run = timed([=](int count) { fences<<<1, 32>>>(count, words, cycles); });
    result("latency", cycles_per_step(run, 16, 80), "cycles");
  } else if (arguments.is("gridsync")) {
    grid_sync(cycles);
  } else if (arguments.is("shuffle")) {
    const int threads = 32 * arguments.integer("warps", 1);
    const bool down = arguments.integer("down", 0) != 0;
    const auto run = timed([=](int count) {
      (down ? shuffles<true> : shuffles<false>)<<<1, threads>>>(count, words, cycles);
    });
    result("latency", cycles_per_step(run, 64, 320), "cycles");
  } else if (arguments.is("conflict")) {
    const int ways = arguments.integer("ways", 1);
    const auto run = timed([=](int count) { conflicts<<<1, 32>>>(ways, count, sink, cycles); });
    result("latency", cycles_per_step(run, 64, 320), "cycles");
  } else if (arguments.is("ldmatrix")) {
    const int matrices = arguments.integer("matrices", 1);
    const auto kernel = matrices == 1 ? matrix_loads<1> : matrices == 2 ? matrix_loads<2> : matrix_loads<4>;
    const auto run = timed([=](int count) { kernel<<<1, 32>>>(count, sink, cycles); });
    result("latency", cycles_per_step(run, 64, 320), "cycles");
  } else if (arguments.is("shared_bandwidth")) {
    shared_bandwidth(sink);
  } else {
    arguments.unknown("syncthreads syncwarp fence gridsync shuffle conflict ldmatrix shared_bandwidth");
  }
}
