#pragma once
// A pool of threads for loops whose iterations are independent. Results never depend on the number of threads, because
// callers cut their work into pieces whose number depends on shapes alone (usually kSlices), give each piece its own
// output, and add partial sums in the order of the pieces.
//
// Tasks run with denormals flushed to zero, also on the calling thread: a diverging training run otherwise spends its
// time in microcode. Waiting threads spin for about 50 us, then sleep.
#include <cstdint>
#include <memory>
#include <type_traits>

namespace hpml::nn {

constexpr int kSlices = 8;
constexpr int64_t kScratchFloats = 1 << 18;  // 1 MiB: what a core's second cache holds

struct Range {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};
// Part `index` of `parts` of 0 .. n-1; sizes differ by at most one.
Range part(int64_t n, int index, int parts);

class ThreadPool {
 public:
  explicit ThreadPool(int threads);  // >= 1; the calling thread is one of them
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  // Calls task(i), or task(i, scratch), for i = 0 .. tasks-1, each once, in any order and on any thread of the pool;
  // returns when all are done. scratch: kScratchFloats floats of the thread, aligned to 64 bytes, with any content.
  // Tasks must not throw and must not call run(). Does not allocate.
  template <class Task>
  void run(int tasks, Task&& task) {
    const auto call = [](void* context, int i, float* scratch) {
      auto& body = *static_cast<std::remove_reference_t<Task>*>(context);
      if constexpr (std::is_invocable_v<Task&, int, float*>) {
        body(i, scratch);
      } else {
        body(i);
      }
    };
    run_erased(tasks, call, const_cast<void*>(static_cast<const void*>(&task)));
  }

 private:
  using Call = void (*)(void* context, int task, float* scratch);
  void run_erased(int tasks, Call call, void* context);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Denormals are flushed to zero on this thread while the object lives.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  uint64_t saved_;
};

}  // namespace hpml::nn
