// Load-to-use latency of each level: one thread follows pointers, so that every load waits for the one before.
//   chase global kib=16 stride=128 [cold=1 [warm=0]] [steps=2000]   ring in random order, walked twice before; cold=1:
//              past L2, after `warm` steps (which visit every page, if not every line)
//   chase shared
//   chase constant bytes=2048 stride=64 [cold=1]
#include <algorithm>
#include <random>
#include <vector>

#include "bench.cuh"

struct Sample {
  long long cycles;
  uint64_t last;
};

// Both halves of the ring's walk in one launch: `warm` untimed steps, then `steps` timed ones.
__global__ void chase_global(uint64_t start, int warm, int steps, Sample* out) {
  uint64_t p = start;
  for (int i = 0; i < warm; ++i) {
    asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p)::"memory");
  }
  const long long begin = cycle_now();
  for (int i = 0; i < steps; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p)::"memory");
    }
  }
  out->last = p;
  asm volatile("" ::"l"(p) : "memory");
  out->cycles = cycle_now() - begin;
}

__global__ void chase_shared(int steps, Sample* out) {
  __shared__ uint32_t ring[256];
  uint32_t base;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(ring));
  for (int i = 0; i < 256; ++i) {
    ring[i] = base + 4 * ((i + 97) % 256);
  }
  __syncthreads();
  uint32_t p = base;
  const long long begin = cycle_now();
  for (int i = 0; i < steps; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p)::"memory");
    }
  }
  out->last = p;
  out->cycles = cycle_now() - begin;
}

__constant__ uint64_t table[8192];

__global__ void constant_base(Sample* out) {
  asm("cvta.to.const.u64 %0, %1;" : "=l"(out->last) : "l"(table));
}

__global__ void chase_constant(uint64_t start, int warm, int steps, Sample* out) {
  uint64_t p = start;
  for (int i = 0; i < warm; ++i) {
    asm volatile("ld.const.u64 %0, [%0];" : "+l"(p)::"memory");
  }
  const long long begin = cycle_now();
  for (int i = 0; i < steps; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      asm volatile("ld.const.u64 %0, [%0];" : "+l"(p)::"memory");
    }
  }
  out->last = p;
  out->cycles = cycle_now() - begin;
}

// Offsets of the ring's places in the order of the walk. The same on every machine: mt19937's sequence is standard.
static std::vector<size_t> shuffled(size_t places, size_t stride) {
  std::vector<size_t> order(places);
  for (size_t i = 0; i < places; ++i) {
    order[i] = i * stride;
  }
  std::mt19937 random(12345);
  for (size_t i = places; i > 1; --i) {
    std::swap(order[i - 1], order[random() % i]);
  }
  return order;
}

// The ring itself, as 64-bit words from `base` on.
static std::vector<uint64_t> linked(const std::vector<size_t>& order, uint64_t base, size_t bytes) {
  std::vector<uint64_t> words(bytes / 8);
  for (size_t i = 0; i < order.size(); ++i) {
    words[order[i] / 8] = base + order[(i + 1) % order.size()];
  }
  return words;
}

static double measure_global(const Arguments& arguments, Sample* out) {
  const size_t bytes = static_cast<size_t>(arguments.number("kib", 16) * 1024);
  const size_t stride = static_cast<size_t>(arguments.number("stride", 128));
  const bool cold = arguments.integer("cold", 0) != 0;
  char* ring = device_array<char>(bytes);
  const std::vector<size_t> order = shuffled(bytes / stride, stride);
  const uint64_t base = reinterpret_cast<uint64_t>(ring);
  const std::vector<uint64_t> words = linked(order, base, bytes);
  CHECK(cudaMemcpy(ring, words.data(), bytes, cudaMemcpyHostToDevice));
  if (cold) {  // push the ring out of L2 again
    evict();
  }
  const int places = static_cast<int>(order.size());
  const int limit = arguments.integer("steps", 2000);
  const int steps = std::max(8, (cold ? std::min(limit, places) : limit) / 8 * 8);
  chase_global<<<1, 1>>>(base + order[0], cold ? arguments.integer("warm", 0) : 2 * places, steps, out);
  check_kernel();
  return static_cast<double>(read_back(out).cycles) / steps;
}

static double measure_constant(const Arguments& arguments, Sample* out) {
  const size_t bytes = static_cast<size_t>(arguments.integer("bytes", 2048));
  const size_t stride = static_cast<size_t>(arguments.integer("stride", 64));
  const bool cold = arguments.integer("cold", 0) != 0;
  constant_base<<<1, 1>>>(out);
  check_kernel();
  const uint64_t base = read_back(out).last;
  const std::vector<size_t> order = shuffled(bytes / stride, stride);
  const std::vector<uint64_t> words = linked(order, base, bytes);
  CHECK(cudaMemcpyToSymbol(table, words.data(), bytes));
  const int places = static_cast<int>(order.size());
  const int steps = cold ? places / 8 * 8 : 1024;
  chase_constant<<<1, 1>>>(base + order[0], cold ? 0 : 2 * places, steps, out);
  check_kernel();
  return static_cast<double>(read_back(out).cycles) / steps;
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  Sample* out = device_array<Sample>(1);
  if (arguments.is("global")) {
    result("latency", measure_global(arguments, out), "cycles");
  } else if (arguments.is("shared")) {
    const auto run = [out](int steps) {
      chase_shared<<<1, 1>>>(steps, out);
      check_kernel();
      return static_cast<double>(read_back(out).cycles);
    };
    result("latency", cycles_per_step(run, 256, 2304), "cycles");
  } else if (arguments.is("constant")) {
    result("latency", measure_constant(arguments, out), "cycles");
  } else {
    arguments.unknown("global shared constant");
  }
}
