#pragma once
// A student's kernel in a process of its own: it is given numbers and gives numbers. When it is asked, how long it takes
// and what is right is this process's business; there, nothing can be reached that decides about points.
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "common/base/result.hpp"
#include "kernel.hpp"

namespace hpml::lab1 {

template <class T>
using Answer = Result<T, Failure>;

// Memory that both processes see. Each vector ends at a page that the kernel's process must not touch.
class SharedVectors {
 public:
  static Answer<SharedVectors> make(int64_t elements, int count);
  float* vector(int index, int64_t n) const;  // n <= elements
  void guard() const;                         // in the kernel's process

 private:
  struct Unmap {
    size_t bytes;
    void operator()(void* begin) const;
  };
  SharedVectors(void* begin, size_t content, size_t page, int count)
      : memory_(begin, Unmap{(content + page) * static_cast<size_t>(count)}), content_(content), page_(page), count_(count) {}
  std::unique_ptr<void, Unmap> memory_;
  size_t content_, page_;
  int count_;
};

struct Request {
  uint64_t magic = 0, sequence = 0;
  int64_t n = 0, block = 0;
  uint32_t operation = 0, sparse = 0;
  uint64_t reserved[3] = {};
};
static_assert(sizeof(Request) == 64);

class KernelHost {
 public:
  enum class Kind : uint8_t { dot, product };
  struct What {
    std::string library, symbol;  // a library "ours" is the reference
    Kind kind = Kind::dot;
    int64_t elements = 1;  // of the longest vector
  };
  static Answer<std::unique_ptr<KernelHost>> start(const What& what);
  ~KernelHost();
  KernelHost(const KernelHost&) = delete;
  KernelHost& operator=(const KernelHost&) = delete;

  float* a(int64_t n) const { return shared_.vector(0, n); }
  float* b(int64_t n) const { return shared_.vector(1, n); }
  Answer<float> dot(int64_t n, bool sparse = false);  // sparse: zeros and, at the end, ones, without memory for them
  Answer<Ok> product(int64_t n, int64_t block, std::vector<float>& c);

  int64_t busy_ns() const { return busy_ns_; }  // processor time of its process, while it was asked
  int64_t wall_ns() const { return wall_ns_; }  // of the last call, from the question until its answer lay here

 private:
  KernelHost(SharedVectors shared, pid_t child, int requests, int answers);
  Answer<Ok> ask(Request request, float* answer, int64_t count);
  Answer<Ok> wait_for(uint64_t sequence);
  Answer<Ok> check_idle();
  Failure ended();
  int64_t cpu_ns() const;

  SharedVectors shared_;
  pid_t child_;
  int requests_, answers_;
  uint64_t sequence_ = 0;
  int64_t busy_ns_ = 0, idle_ns_ = 0, wall_ns_ = 0, seen_cpu_ns_ = 0;
};

}  // namespace hpml::lab1
