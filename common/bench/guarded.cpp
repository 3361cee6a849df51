#include "common/bench/guarded.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hpml::bench {

void GuardedVector::Unmap::operator()(void* begin) const { munmap(begin, bytes); }

Result<GuardedVector> GuardedVector::make(int64_t n) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t content = (static_cast<size_t>(n) * sizeof(float) + page - 1) / page * page;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* begin = mmap(nullptr, content + page, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (begin == MAP_FAILED || mprotect(static_cast<char*>(begin) + content, page, PROT_NONE) != 0) {
    return error_in("<memory>", fmt::format("no room for {} floats", n));
  }
  float* end = reinterpret_cast<float*>(static_cast<char*>(begin) + content);
  return GuardedVector(begin, Unmap{content + page}, end - n, n);
}

}  // namespace hpml::bench
