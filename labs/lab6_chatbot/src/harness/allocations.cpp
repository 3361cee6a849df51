#include "harness/allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {
std::atomic<int64_t> count{0};
}

namespace check {
int64_t allocations() { return count.load(); }
}  // namespace check

extern "C" {
void* malloc(size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(size_t number, size_t size) {
  ++count;
  return __libc_calloc(number, size);
}
void* realloc(void* memory, size_t size) {
  ++count;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  ++count;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
