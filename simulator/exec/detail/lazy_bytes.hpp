#pragma once
// Zeroed memory that costs nothing until it is touched: a block's local memory is mostly stack that no thread uses.
#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <utility>

namespace hpml::sim::exec {

class LazyBytes {
 public:
  LazyBytes() = default;
  LazyBytes(const LazyBytes&) = delete;
  LazyBytes& operator=(const LazyBytes&) = delete;
  ~LazyBytes() { release(); }

  std::byte* data() { return data_; }
  // At least `size` bytes; what was there may be lost when that is more than before.
  void reserve(size_t size) {
    if (size <= size_) {
      return;
    }
    release();
    void* place = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) {
      throw std::bad_alloc();
    }
    data_ = static_cast<std::byte*>(place);
    size_ = size;
  }

 private:
  void release() {
    if (data_ != nullptr) {
      munmap(std::exchange(data_, nullptr), std::exchange(size_, 0));
    }
  }
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace hpml::sim::exec
