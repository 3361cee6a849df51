#pragma once
// The kernels in compiler vectors (GCC manual, "Vector Extensions"; clang has the same), for one vector width. Every
// translation unit that includes this is compiled for another instruction set, so everything is in an anonymous
// namespace: a function compiled for AVX-512 must never stand in for its namesake elsewhere.
#include <cstdint>
#include <cstring>

#include "common/bench/kernels/table.hpp"

namespace hpml::bench {
namespace {

template <class T, int kBytes>
struct Vector {
  typedef T Type __attribute__((vector_size(kBytes)));
  static constexpr int kLanes = kBytes / static_cast<int>(sizeof(T));
  static Type load(const T* from) {
    Type value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  static void store(T* to, Type value) { std::memcpy(to, &value, sizeof value); }
  // Halves are added until 16 bytes are left: few dependent additions.
  static T total(Type value) {
    if constexpr (kBytes > 16) {
      using Half = Vector<T, kBytes / 2>;
      typename Half::Type low, high;
      std::memcpy(&low, &value, sizeof low);
      std::memcpy(&high, reinterpret_cast<const char*>(&value) + sizeof low, sizeof high);
      return Half::total(low + high);
    } else {
      T sum = 0;
      for (int lane = 0; lane < kLanes; ++lane) {
        sum += value[lane];
      }
      return sum;
    }
  }
};

constexpr int kWays = 8;               // independent sums: latency 4 cycles times 2 instructions per cycle
constexpr int64_t kAheadBytes = 4096;  // how far ahead memory is asked for: about a memory latency of reading

constexpr int kDotWays = 4;  // a product takes two loads: one vector per cycle, 4 cycles of latency

// The lanes from..to-1; zeros in the others.
template <int kBytes>
typename Vector<float, kBytes>::Type lanes_of(typename Vector<float, kBytes>::Type value, int from, int to) {
  using I = Vector<int32_t, kBytes>;
  typename I::Type zero = {}, index = {};
  for (int lane = 0; lane < I::kLanes; ++lane) {
    index[lane] = lane;
  }
  const auto keep =
      static_cast<typename I::Type>(index >= zero + from) & static_cast<typename I::Type>(index < zero + to);
  return reinterpret_cast<typename Vector<float, kBytes>::Type>(reinterpret_cast<typename I::Type>(value) & keep);
}

// Elements before the first multiple of a vector's size: a load across two cache lines costs as much as two loads.
template <int kBytes>
int64_t to_alignment(const float* from) {
  return static_cast<int64_t>((kBytes - reinterpret_cast<uintptr_t>(from) % kBytes) % kBytes / sizeof(float));
}

template <int64_t kBytes, class... Pointers>
void ask_ahead(const Pointers*... from) {
  for (int64_t line = 0; line < kBytes; line += 64) {
    (__builtin_prefetch(reinterpret_cast<const char*>(from) + kAheadBytes + line), ...);
  }
}

// What the source loads before, the program loads before.
inline void keep_order() { asm volatile("" ::: "memory"); }

// Both ends by whole vectors with some lanes put to zero. What lies between starts where b is aligned. Four loads of
// one vector, then four of the other: where a is not aligned as b is, taking turns costs a quarter of the rate in the
// caches of a Skylake, because each load of a begins in the line where the one before it ended.
template <int kBytes, bool kPrefetch>
float dot_kernel(int64_t n, const float* a, const float* b) {
  using V = Vector<float, kBytes>;
  constexpr int64_t kStep = kDotWays * V::kLanes;
  if (n < V::kLanes) {
    float result = 0;
    for (int64_t i = 0; i < n; ++i) {
      result += a[i] * b[i];
    }
    return result;
  }
  typename V::Type sums[kDotWays] = {};
  const float* const end = a + n;
  const float *x = a + to_alignment<kBytes>(b), *y = b + (x - a);
  sums[0] = lanes_of<kBytes>(V::load(a) * V::load(b), 0, static_cast<int>(x - a));
  for (; end - x >= kStep; x += kStep, y += kStep) {
    if constexpr (kPrefetch) {
      ask_ahead<kStep * 4>(x, y);
    }
    typename V::Type from_a[kDotWays];
    for (int way = 0; way < kDotWays; ++way) {
      from_a[way] = V::load(x + way * V::kLanes);
    }
    keep_order();
    for (int way = 0; way < kDotWays; ++way) {
      sums[way] += from_a[way] * V::load(y + way * V::kLanes);
    }
  }
  for (; end - x >= 2 * V::kLanes; x += 2 * V::kLanes, y += 2 * V::kLanes) {
    sums[0] += V::load(x) * V::load(y);
    sums[1] += V::load(x + V::kLanes) * V::load(y + V::kLanes);
  }
  if (end - x >= V::kLanes) {
    sums[2] += V::load(x) * V::load(y);
    x += V::kLanes;
  }
  const auto last = V::load(end - V::kLanes) * V::load(b + n - V::kLanes);
  sums[3] += lanes_of<kBytes>(last, V::kLanes - static_cast<int>(end - x), V::kLanes);
  return V::total((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

template <int kBytes, bool kPrefetch>
float sum_kernel(int64_t n, const float* a) {
  using V = Vector<float, kBytes>;
  constexpr int64_t kStep = kWays * V::kLanes;
  typename V::Type sums[kWays] = {};
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    if constexpr (kPrefetch) {
      ask_ahead<kStep * 4>(a + i);
    }
    for (int way = 0; way < kWays; ++way) {
      sums[way] += V::load(a + i + way * V::kLanes);
    }
  }
  for (int way = 1; way < kWays; ++way) {
    sums[0] += sums[way];
  }
  float result = V::total(sums[0]);
  for (; i < n; ++i) {
    result += a[i];
  }
  return result;
}

// to[i] = f(i) for whole vectors, then element by element.
template <int kBytes, class VectorOf, class ElementOf>
void map_kernel(int64_t n, double* to, VectorOf vector_of, ElementOf element_of) {
  using V = Vector<double, kBytes>;
  int64_t i = 0;
  for (; i + V::kLanes <= n; i += V::kLanes) {
    V::store(to + i, vector_of(i));
  }
  for (; i < n; ++i) {
    to[i] = element_of(i);
  }
}

template <int kBytes>
void copy_kernel(int64_t n, double* c, const double* a) {
  using V = Vector<double, kBytes>;
  map_kernel<kBytes>(
      n, c, [=](int64_t i) { return V::load(a + i); }, [=](int64_t i) { return a[i]; });
}

template <int kBytes>
void scale_kernel(int64_t n, double k, double* b, const double* c) {
  using V = Vector<double, kBytes>;
  map_kernel<kBytes>(
      n, b, [=](int64_t i) { return k * V::load(c + i); }, [=](int64_t i) { return k * c[i]; });
}

template <int kBytes>
void add_kernel(int64_t n, double* c, const double* a, const double* b) {
  using V = Vector<double, kBytes>;
  map_kernel<kBytes>(
      n, c, [=](int64_t i) { return V::load(a + i) + V::load(b + i); }, [=](int64_t i) { return a[i] + b[i]; });
}

template <int kBytes>
void triad_kernel(int64_t n, double k, double* a, const double* b, const double* c) {
  using V = Vector<double, kBytes>;
  map_kernel<kBytes>(
      n, a, [=](int64_t i) { return V::load(b + i) + k * V::load(c + i); }, [=](int64_t i) { return b[i] + k * c[i]; });
}

constexpr int kPeakWays = 12;  // enough for 4 cycles times 2 instructions, few enough for 16 registers

template <int kBytes>
float peak_kernel(int64_t rounds) {
  using V = Vector<float, kBytes>;
  typename V::Type sums[kPeakWays], factor = {}, step = {};
  factor += 0.999999F;  // keeps every sum near one: neither denormal nor infinite
  step += 0.000001F;
  for (int way = 0; way < kPeakWays; ++way) {
    sums[way] = step * static_cast<float>(way);
  }
  for (int64_t round = 0; round < rounds; ++round) {
    for (int way = 0; way < kPeakWays; ++way) {
      sums[way] = sums[way] * factor + step;
    }
  }
  for (int way = 1; way < kPeakWays; ++way) {
    sums[0] += sums[way];
  }
  return V::total(sums[0]);
}

template <int kBytes>
constexpr KernelTable table_of(const char* level, bool fused) {
  constexpr int kLanes = Vector<float, kBytes>::kLanes;
  return {level,
          kLanes,
          fused,
          dot_kernel<kBytes, false>,
          dot_kernel<kBytes, true>,
          sum_kernel<kBytes, false>,
          sum_kernel<kBytes, true>,
          copy_kernel<kBytes>,
          scale_kernel<kBytes>,
          add_kernel<kBytes>,
          triad_kernel<kBytes>,
          peak_kernel<kBytes>,
          static_cast<int64_t>(2) * kPeakWays * kLanes};
}

}  // namespace
}  // namespace hpml::bench
