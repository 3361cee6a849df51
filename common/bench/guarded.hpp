#pragma once
// Memory whose last element ends at a page that nobody may touch: who reads past it is killed, not answered.
#include <cstdint>
#include <memory>

#include "common/base/result.hpp"

namespace hpml::bench {

// n floats, all zero at first, and without memory until written. Starts at a page where n fills whole pages.
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
  GuardedVector(void* begin, Unmap unmap, float* data, int64_t n) : mapping_(begin, unmap), data_(data), size_(n) {}
  std::unique_ptr<void, Unmap> mapping_;
  float* data_;
  int64_t size_;
};

}  // namespace hpml::bench
