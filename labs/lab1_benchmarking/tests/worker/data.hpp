#pragma once
// The vectors that the checker chooses: the same numbers as tests/lab1_data.py makes, named by one word.
//   ones | probe | sparse | ints:P,Q,M,O,P,Q,M,O | uniform:SEED
#include <cstdint>
#include <memory>
#include <string>

#include "common/base/result.hpp"

namespace hpml::lab1 {

// n floats whose last one ends at a page that nobody may touch; all zero at first, and without memory until written.
class GuardedVector {
 public:
  static Result<GuardedVector> make(int64_t n);
  float* data() const { return data_; }
  int64_t size() const { return size_; }

 private:
  struct Unmap {
    size_t bytes;
    void operator()(void* begin) const;
  };
  GuardedVector(void* begin, Unmap unmap, float* data, int64_t n)
      : mapping_(begin, unmap), data_(data), size_(n) {}
  std::unique_ptr<void, Unmap> mapping_;
  float* data_;
  int64_t size_;
};

Result<void> fill(const std::string& word, GuardedVector& a, GuardedVector& b);

}  // namespace hpml::lab1
