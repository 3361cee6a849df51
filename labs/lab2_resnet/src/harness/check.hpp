#pragma once
// What the given programs share: inputs that the judges make as well (judges/lab2_data.py), and the file of results.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "lab2.hpp"

namespace check {

// Value i of stream `which`: uniform in [-1, 1), a multiple of 2^-23.
static inline float value(uint64_t seed, uint64_t which, uint64_t i) {
  const auto bits = static_cast<int32_t>(lab2::random_bits(seed, which, 0, i) >> 40);
  return static_cast<float>(bits - (1 << 23)) * 0x1p-23F;
}

static inline std::vector<float> values(uint64_t seed, uint64_t which, int64_t n) {
  std::vector<float> result(static_cast<size_t>(n));
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = value(seed, which, i);
  }
  return result;
}

[[noreturn]] static inline void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(2);
}

static inline std::vector<int64_t> integers(int argc, char** argv, int from) {
  std::vector<int64_t> result;
  for (int i = from; i < argc; ++i) {
    result.push_back(std::atoll(argv[i]));
  }
  return result;
}

// Results as they lie in memory, one array after the other, in the file that the grader names.
class Results {
 public:
  Results() : file_(std::fopen(path(), "wb")) {
    if (file_ == nullptr) {
      fail("the file for results cannot be written; the grader names it in HPML_DUMP");
    }
  }
  ~Results() { std::fclose(file_); }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  template <class T>
  void write(const std::vector<T>& array) {
    std::fwrite(array.data(), sizeof(T), array.size(), file_);
  }

 private:
  static const char* path() {
    const char* named = std::getenv("HPML_DUMP");
    return named == nullptr ? "/dev/null" : named;
  }
  std::FILE* file_;
};

}  // namespace check
