#pragma once
// What the given check programs share: inputs that the judges make as well (judges/lab6_data.py), and the file of results.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "lab6.hpp"

namespace check {

[[noreturn]] static inline void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(2);
}

// Array `which` of a run: uniform in [-1, 1).
static inline std::vector<float> values(uint64_t seed, int which, int64_t n) {
  const std::string stream = "check" + std::to_string(which);
  std::vector<float> result;
  for (uint64_t i = 0; i < static_cast<uint64_t>(n); ++i) {
    result.push_back(static_cast<float>(2 * lab6::uniform(seed, stream, i) - 1));
  }
  return result;
}

// Lengths of `batch` sequences: 1 .. most.
static inline std::vector<int32_t> lengths(uint64_t seed, int batch, int most) {
  std::vector<int32_t> result;
  for (int b = 0; b < batch; ++b) {
    result.push_back(1 + static_cast<int32_t>(lab6::uniform(seed, "lengths", static_cast<uint64_t>(b)) * most));
  }
  return result;
}

// Memory whose content must not matter, and memory that results are added to.
constexpr float kStale = 7.0F, kBefore = 0.25F;
static inline std::vector<float> stale(int64_t n) { return std::vector<float>(static_cast<size_t>(n), kStale); }
static inline std::vector<float> before(int64_t n) { return std::vector<float>(static_cast<size_t>(n), kBefore); }

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
  void write_bytes(std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), file_); }

 private:
  static const char* path() {
    const char* named = std::getenv("HPML_DUMP");
    return named == nullptr ? "/dev/null" : named;
  }
  std::FILE* file_;
};

}  // namespace check
