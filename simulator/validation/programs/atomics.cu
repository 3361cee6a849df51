// Atomics on one address: cycles per instruction of a loop that does not use the results.
//   atomics shared lanes=8              lanes of one warp add to one shared word
//   atomics global lanes=8              the same in global memory
//   atomics add threads=256 [blocks=1]  one addition per warp, as a compiler aggregates equal ones (cycles per round)
//   atomics float threads=256           every thread adds a float
//   atomics cas threads=256             every thread compares and swaps
#include <algorithm>

#include "bench.cuh"

enum class Kind { shared_add, global_add, warp_add, float_add, compare_and_swap };

template <Kind kKind>
__device__ void once(uint32_t shared_address, void* word, uint32_t value) {
  uint32_t old;
  if (kKind == Kind::shared_add) {
    asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(shared_address), "r"(value) : "memory");
  } else if (kKind == Kind::global_add || kKind == Kind::warp_add) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
  } else if (kKind == Kind::float_add) {
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(word), "f"(1.0f) : "memory");
  } else {
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(word), "r"(value), "r"(value + 1) : "memory");
  }
}

template <Kind kKind>
__global__ void repeat(int count, uint32_t value, void* word, long long* cycles) {
  __shared__ uint32_t counter;
  uint32_t address;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(address) : "l"(&counter));
  const bool active = kKind != Kind::warp_add || threadIdx.x % 32 == 0;
  __syncthreads();
  const long long begin = cycle_now();
  if (active) {
    for (int i = 0; i < count; i += 8) {
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        once<kKind>(address, word, value);
      }
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *cycles = cycle_now() - begin;
  }
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  long long* cycles = device_array<long long>(1);
  void* word = device_array<uint32_t>(64);
  const int blocks = arguments.integer("blocks", 1);
  const auto measure = [&](auto kernel, int threads) {
    const auto run = [&](int count) {
      kernel<<<blocks, threads>>>(count, 1u, word, cycles);
      check_kernel();
      return static_cast<double>(read_back(cycles));
    };
    // Enough of them that what the queues on the way hold does not count.
    const int short_run = 64 * std::max(1, 512 / threads);
    result("cycles", cycles_per_step(run, short_run, 5 * short_run), "cycles");
  };
  if (arguments.is("shared")) {
    measure(repeat<Kind::shared_add>, arguments.integer("lanes", 1));
  } else if (arguments.is("global")) {
    measure(repeat<Kind::global_add>, arguments.integer("lanes", 1));
  } else if (arguments.is("add")) {
    measure(repeat<Kind::warp_add>, arguments.integer("threads", 32));
  } else if (arguments.is("float")) {
    measure(repeat<Kind::float_add>, arguments.integer("threads", 32));
  } else if (arguments.is("cas")) {
    measure(repeat<Kind::compare_and_swap>, arguments.integer("threads", 32));
  } else {
    arguments.unknown("shared global add float cas");
  }
}
