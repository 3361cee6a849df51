// A walk over memory by few or many warps: time of one turn, in which every thread loads and stores one element.
//   turns read|copy|add|write blocks=60 threads=128 [turns=500] [warm=1] [loads_kib=8192] [stores_kib=8192]
//   loads 1, 1, 2, 0; stores 0, 1, 1, 1. warm=1: the arrays are in L2 from a walk before; else L2 holds other data.
//   loads_kib, stores_kib: they stay within so much, a power of two, again and again
//   turns scatter blocks=60 threads=512 stride=8 [turns=500]
//   every thread stores to the same element again and again, `stride` elements from its neighbours', which L2 holds
#include "bench.cuh"

template <int kLoads, bool kStore>
__global__ void walk(const float* x, const float* y, float* z, int turns, unsigned loads, unsigned stores) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn, i += threads) {
    const float value = (kLoads > 0 ? x[i & loads] : 1.0f) + (kLoads > 1 ? y[i & loads] : 0.0f);
    if (kStore) {
      z[i & stores] = value;
    } else {
      sum += value;
    }
  }
  if (!kStore && sum == 12345.678f) {
    z[0] = sum;
  }
}

template <int kLoads, bool kStore>
static void measure(const Arguments& arguments) {
  const int blocks = arguments.integer("blocks", 60), threads = arguments.integer("threads", 128);
  const int turns = arguments.integer("turns", 500);
  const size_t n = static_cast<size_t>(blocks) * threads * turns;
  float* arrays[3];
  for (float*& array : arrays) {
    array = device_array<float>(n);
  }
  const auto mask = [&](const char* key) { return static_cast<unsigned>(arguments.number(key, 1 << 22)) * 256u - 1; };
  const unsigned loads = mask("loads_kib"), stores = mask("stores_kib");
  const auto us = [&](int count) {
    return event_us(
        [&] { walk<kLoads, kStore><<<blocks, threads>>>(arrays[0], arrays[1], arrays[2], count, loads, stores); });
  };
  us(1);                      // the first launch of a kernel also loads it
  const double none = us(0);  // on a card, events around no turn at all are microseconds apart
  if (arguments.integer("warm", 0) != 0) {
    us(turns);
  } else {
    evict();
  }
  result("turn", (us(turns) - none) * 1e3 / turns, "ns");
}

__global__ void scatter(float* z, int turns, unsigned stride) {
  volatile float* const own = z + static_cast<size_t>(global_thread()) * stride;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
    *own = static_cast<float>(turn);
  }
}

static void measure_scatter(const Arguments& arguments) {
  const int blocks = arguments.integer("blocks", 60), threads = arguments.integer("threads", 128);
  const int turns = arguments.integer("turns", 500), stride = arguments.integer("stride", 8);
  float* z = device_array<float>(static_cast<size_t>(blocks) * threads * stride);
  const auto us = [&](int count) {
    return event_us([&] { scatter<<<blocks, threads>>>(z, count, static_cast<unsigned>(stride)); });
  };
  us(turns);
  const double none = us(0);
  result("turn", (us(turns) - none) * 1e3 / turns, "ns");
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  if (arguments.is("read")) {
    measure<1, false>(arguments);
  } else if (arguments.is("copy")) {
    measure<1, true>(arguments);
  } else if (arguments.is("add")) {
    measure<2, true>(arguments);
  } else if (arguments.is("write")) {
    measure<0, true>(arguments);
  } else if (arguments.is("scatter")) {
    measure_scatter(arguments);
  } else {
    arguments.unknown("read copy add write scatter");
  }
}
