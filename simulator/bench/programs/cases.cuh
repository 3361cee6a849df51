// What every program of this folder needs. A program holds one family of kernels; each kernel is a case with a name.
// `program` lists its cases, `program NAME` runs one and prints a checksum of what it computed.
#pragma once

#include <string.h>

#include "../../tests/programs/check.cuh"

// Pseudo-random numbers that are the same on every machine.
inline unsigned noise(unsigned i) {
  unsigned x = i * 2654435761u + 12345u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ (x >> 13);
}

// An array on the device whose element i is value(i).
template <class T, class F>
T* filled(size_t n, F value) {
  std::vector<T> host(n);
  for (size_t i = 0; i < n; ++i) {
    host[i] = static_cast<T>(value(static_cast<unsigned>(i)));
  }
  return to_device(host);
}

// Waits for the kernels and prints a sum over the words of the array: cheap, because the host's own work is not what is
// measured here.
template <class T>
void print_sum(const T* p, size_t n) {
  static_assert(sizeof(T) % sizeof(unsigned) == 0, "arrays of whole words");
  check_launch();
  std::vector<unsigned> words(n * (sizeof(T) / sizeof(unsigned)));
  CHECK(cudaMemcpy(words.data(), p, words.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  unsigned long long sum = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    sum += (i + 1) * words[i];
  }
  printf("%016llx\n", sum);
}

struct Case {
  const char* name;
  void (*run)();
};

template <int N>
int run_cases(const Case (&cases)[N], int argc, char** argv) {
  for (const Case& one : cases) {
    if (argc < 2) {
      printf("%s\n", one.name);
    } else if (strcmp(one.name, argv[1]) == 0) {
      one.run();
      return 0;
    }
  }
  return argc < 2 ? 0 : 2;
}
