#pragma once
// What the given programs share: inputs that the judges make as well (judges/lab5_data.py), and the file of results.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Of a given function that holds a struct of lab5.hpp: the struct's own functions are built into it. A student's file
// brings them as well, and must define nothing that a given file defines.
#define HPML_GIVEN [[gnu::flatten]]

namespace check {

// A counter-based generator (SplitMix64): number i of stream `which`.
static constexpr uint64_t mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}
static constexpr uint64_t bits(uint64_t seed, uint64_t which, uint64_t i) { return mix(mix(mix(seed) + which) + i); }

// Uniform in [-1, 1), a multiple of 2^-23.
static inline float value(uint64_t seed, uint64_t which, uint64_t i) {
  const auto top = static_cast<int32_t>(bits(seed, which, i) >> 40);
  return static_cast<float>(top - (1 << 23)) * 0x1p-23F;
}
static inline std::vector<float> values(uint64_t seed, uint64_t which, int64_t n) {
  std::vector<float> result(static_cast<size_t>(n));
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = value(seed, which, i);
  }
  return result;
}
static inline std::vector<uint8_t> bytes(uint64_t seed, uint64_t which, int64_t n) {
  std::vector<uint8_t> result(static_cast<size_t>(n));
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<uint8_t>(bits(seed, which, i) >> 56);
  }
  return result;
}

// Uniform in (0, 1).
static inline double open_uniform(uint64_t seed, uint64_t which, uint64_t i) {
  return (static_cast<double>(bits(seed, which, i) >> 11) + 0.5) * 0x1p-53;
}
// "normal": N(0, 1) by Box and Muller; "laplace": of scale 1; "relu": max(0, normal); "uniform": in [-1, 1).
static inline std::vector<float> sample(std::string_view kind, uint64_t seed, uint64_t which, int64_t n) {
  if (kind == "uniform") {
    return values(seed, which, n);
  }
  std::vector<float> result;
  for (uint64_t i = 0; i < static_cast<uint64_t>(n); ++i) {
    const double u = open_uniform(seed, which, 2 * i), v = open_uniform(seed, which, 2 * i + 1);
    double x = std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
    if (kind == "laplace") {
      x = v < 0.5 ? std::log(u) : -std::log(u);
    } else if (kind == "relu") {
      x = x > 0 ? x : 0;
    }
    result.push_back(static_cast<float>(x));
  }
  return result;
}

[[noreturn]] static inline void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(2);
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
  template <class T>
  void write_one(T number) {
    std::fwrite(&number, sizeof(T), 1, file_);
  }

 private:
  static const char* path() {
    const char* named = std::getenv("HPML_DUMP");
    return named == nullptr ? "/dev/null" : named;
  }
  std::FILE* file_;
};

// The words of a command line behind its first, as numbers.
class Words {
 public:
  Words(int argc, char** argv) : words_(argv + 1, argv + argc) {}
  std::string_view command() const { return words_.empty() ? std::string_view() : std::string_view(words_[0]); }
  size_t size() const { return words_.size(); }
  const std::string& text(size_t i) const {
    if (i >= words_.size()) {
      fail("words are missing; the reason of a lost point quotes the program's words, as in `codebook uniform 1 540 3`");
    }
    return words_[i];
  }
  int64_t integer(size_t i) const { return static_cast<int64_t>(std::strtoull(text(i).c_str(), nullptr, 10)); }
  uint64_t seed(size_t i) const { return std::strtoull(text(i).c_str(), nullptr, 10); }
  double real(size_t i) const { return std::strtod(text(i).c_str(), nullptr); }
  int number(size_t i) const { return std::atoi(text(i).c_str()); }

 private:
  std::vector<std::string> words_;
};

static inline uint32_t float_bits(float x) {
  uint32_t result = 0;
  std::memcpy(&result, &x, sizeof result);
  return result;
}

}  // namespace check
