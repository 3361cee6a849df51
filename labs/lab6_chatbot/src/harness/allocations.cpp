#include "harness/allocations.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {
std::atomic<bool> forbidden{false};

void allocates(size_t size) {
  if (forbidden.load()) {
    char line[64];
    const int length = std::snprintf(line, sizeof line, "an allocation of %zu bytes\n", size);
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line, static_cast<size_t>(length));
    ::_exit(check::kAllocated);
  }
}
}  // namespace

namespace check {
NoAllocations::NoAllocations() { forbidden = true; }
NoAllocations::~NoAllocations() { forbidden = false; }
}  // namespace check

extern "C" {
void* malloc(size_t size) {
  allocates(size);
  return __libc_malloc(size);
}
void* calloc(size_t number, size_t size) {
  allocates(number * size);
  return __libc_calloc(number, size);
}
void* realloc(void* memory, size_t size) {
  allocates(size);
  return __libc_realloc(memory, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  allocates(size);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  allocates(size);
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
