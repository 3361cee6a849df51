#pragma once
// For the main programs of P1 to P4: seeded numbers, and the file of named results that the judge reads (HPML_DUMP).
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <span>
#include <string>
#include <vector>

namespace harness {

// Number `i` of stream `which`: SplitMix64 of a counter. judges/lab5_compress.py has the same.
inline uint64_t random_bits(uint64_t seed, uint64_t which, uint64_t i) {
  uint64_t z = seed * 0x9E3779B97F4A7C15U + which * 0xD1B54A32D192ED03U + (i + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

// Nearly normal, and the same on every machine: the sum of twelve uniform numbers, which is exact in double, minus 6.
inline std::vector<float> normal(uint64_t seed, uint64_t which, std::size_t count, double scale = 1) {
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    double sum = -6;
    for (uint64_t j = 0; j < 12; ++j) {
      sum += static_cast<double>(random_bits(seed, which, 12 * i + j) >> 40) / (1 << 24);
    }
    x[i] = static_cast<float>(sum * scale);
  }
  return x;
}

// "name12". (std::to_string would put a symbol of the library into this object that student code may have as well.)
inline std::string numbered(const std::string& name, std::size_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "%zu", number);
  return name + text;
}

class Results {
 public:
  explicit Results(const char* program) : program_(program) {
    const char* path = std::getenv("HPML_DUMP");
    file_ = path != nullptr ? std::fopen(path, "wb") : nullptr;
    if (path != nullptr && file_ == nullptr) {
      fail(std::string("cannot write ") + path);
    }
  }
  ~Results() {
    if (file_ != nullptr && std::fclose(file_) != 0) {
      fail("cannot write the results");
    }
  }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  // name, bytes of an element, number of elements, elements
  template <class T>
  void add(const std::string& name, std::span<const T> values) {
    std::printf("%s: %zu values\n", name.c_str(), values.size());
    if (file_ == nullptr) {
      return;
    }
    const uint64_t header[] = {name.size(), sizeof(T), values.size()};
    if (std::fwrite(header, 1, sizeof header, file_) != sizeof header ||
        std::fwrite(name.data(), 1, name.size(), file_) != name.size() ||
        std::fwrite(values.data(), sizeof(T), values.size(), file_) != values.size()) {
      fail("cannot write the results");
    }
  }
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    add(name, std::span<const T>(values));
  }
  void add(const std::string& name, double value) { add(name, std::span<const double>(&value, 1)); }

  // 1 where the call ends with std::invalid_argument, else 0.
  template <class F>
  void add_refusal(const std::string& name, F call) {
    double refused = 0;
    try {
      call();
    } catch (const std::invalid_argument&) {
      refused = 1;
    }
    add(name, refused);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    std::fprintf(stderr, "%s: %s\n", program_, what.c_str());
    std::exit(3);
  }
  const char* program_;
  std::FILE* file_ = nullptr;
};

// The seed is argument `at`.
inline uint64_t seed_argument(int argc, char** argv, int at, const char* usage) {
  if (argc <= at) {
    std::fprintf(stderr, "usage: %s %s\n", argv[0], usage);
    std::exit(2);
  }
  return std::strtoull(argv[at], nullptr, 10);
}

}  // namespace harness
