// Atomics on one address.
//   atomics shared lanes=8              lanes of one warp add to one shared word: cycles per instruction of a loop that
//                                       does not use the results
//   atomics global lanes=8              the same in global memory, where each waits for the one before: cycles of a round
//                                       trip less those of a load that hits L2, which is what the atomic unit adds
//   atomics add threads=256 [blocks=1]  every thread adds the same (cycles per round): one request per warp in machine code
//   atomics float threads=256           every thread adds a float
//   atomics cas threads=256             every thread compares and swaps
// "shared" and "global" add an offset to the address that is 0 in every lane and comes from memory: if the compiler knew
// that the lanes agree it would send one request for all of them.
#include <algorithm>

#include "bench.cuh"

enum class Kind { shared_add, global_add, global_load, warp_add, float_add, compare_and_swap };

template <Kind kKind>
__device__ uint32_t once(uint32_t shared_address, char* word, uint32_t value) {
  uint32_t old = 0;
  if (kKind == Kind::shared_add) {
    asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(shared_address), "r"(value) : "memory");
  } else if (kKind == Kind::global_add) {
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(word), "r"(value) : "memory");
  } else if (kKind == Kind::global_load) {
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(old) : "l"(word) : "memory");
  } else if (kKind == Kind::warp_add) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
  } else if (kKind == Kind::float_add) {
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(word), "f"(1.0f) : "memory");
  } else {
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(word), "r"(value), "r"(value + 1) : "memory");
  }
  return old;
}

template <Kind kKind>
__global__ void repeat(int count, uint32_t value, char* word, const uint32_t* zeros, long long* cycles) {
  constexpr bool kChain = kKind == Kind::global_add || kKind == Kind::global_load;
  __shared__ uint32_t counter;
  uint32_t address;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(address) : "l"(&counter));
  const uint32_t zero = zeros[threadIdx.x];
  address += kKind == Kind::shared_add ? zero : 0;
  __syncthreads();
  const long long begin = cycle_now();
  for (int i = 0; i < count; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const uint32_t old = once<kKind>(address, word, value);
      word += kChain ? old & zero : 0;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *cycles = cycle_now() - begin;
  }
}

static double measure(void (*kernel)(int, uint32_t, char*, const uint32_t*, long long*), int threads, int blocks) {
  long long* cycles = device_array<long long>(1);
  char* word = reinterpret_cast<char*>(device_array<uint32_t>(64));
  const uint32_t* zeros = device_array<uint32_t>(1024);
  const auto run = [&](int count) {
    kernel<<<blocks, threads>>>(count, 1u, word, zeros, cycles);
    check_kernel();
    return static_cast<double>(read_back(cycles));
  };
  // Enough of them that what the queues on the way hold does not count.
  const int short_run = 64 * std::max(1, 512 / threads);
  return cycles_per_step(run, short_run, 5 * short_run);
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int blocks = arguments.integer("blocks", 1), lanes = arguments.integer("lanes", 1);
  const int threads = arguments.integer("threads", 32);
  double cycles = 0;
  if (arguments.is("shared")) {
    cycles = measure(repeat<Kind::shared_add>, lanes, blocks);
  } else if (arguments.is("global")) {
    cycles = measure(repeat<Kind::global_add>, lanes, blocks) - measure(repeat<Kind::global_load>, lanes, blocks);
  } else if (arguments.is("add")) {
    cycles = measure(repeat<Kind::warp_add>, threads, blocks);
  } else if (arguments.is("float")) {
    cycles = measure(repeat<Kind::float_add>, threads, blocks);
  } else if (arguments.is("cas")) {
    cycles = measure(repeat<Kind::compare_and_swap>, threads, blocks);
  } else {
    arguments.unknown("shared global add float cas");
  }
  result("cycles", cycles, "cycles");
}
