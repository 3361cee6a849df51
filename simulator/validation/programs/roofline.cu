// Between memory and arithmetic: every element is read, goes through `fmas` dependent multiply-adds, and is written.
//   roofline sp|dp fmas=25 mb=64      mb per array; two arrays
#include "bench.cuh"

constexpr int kUnroll = 8;

template <class T>
__global__ void intensity(T* out, const T* in, T factor, int fmas, size_t n) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i >= n) {
    return;
  }
  T value = in[i];
  int k = 0;
  for (; k + kUnroll <= fmas; k += kUnroll) {
#pragma unroll
    for (int j = 0; j < kUnroll; ++j) {
      value = value * factor + factor;
    }
  }
  for (; k < fmas; ++k) {
    value = value * factor + factor;
  }
  out[i] = value;
}

template <class T>
static void measure(const Arguments& arguments) {
  const size_t n = static_cast<size_t>(arguments.number("mb", 64) * 1e6 / sizeof(T));
  const int fmas = arguments.integer("fmas", 1);
  T* in = device_array<T>(n);
  T* out = device_array<T>(n);
  const auto us = [=](size_t elements) {
    const unsigned blocks = static_cast<unsigned>((elements + 255) / 256);
    return event_us([=] { intensity<T><<<blocks, 256>>>(out, in, T(0.5), fmas, elements); });
  };
  us(4096);  // the first launch of a kernel also loads it
  const double time = us(n);
  result("bandwidth", 2.0 * sizeof(T) * n / time * 1e-3, "GB/s");
  result("flops", 2.0 * fmas * n / time * 1e-3, "GFLOP/s");
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  if (arguments.is("sp")) {
    measure<float>(arguments);
  } else if (arguments.is("dp")) {
    measure<double>(arguments);
  } else {
    arguments.unknown("sp dp");
  }
}
