#pragma once
// Guards against dead-code elimination: the compiler must assume that somebody reads the value, and changes memory.
#include <benchmark/benchmark.h>

namespace hpml::bench {

template <class T>
inline void keep(T& value) {
  benchmark::DoNotOptimize(value);
  benchmark::ClobberMemory();
}

}  // namespace hpml::bench
