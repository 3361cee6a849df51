#include "common/nn/thread_pool.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "common/base/check.hpp"
#include "common/nn/tensor.hpp"

namespace hpml::nn {

namespace {

constexpr auto kSpin = std::chrono::microseconds(50);
constexpr int kMaxTasks = 0xFFFF;

// One word says which loop is running, how many tasks it has and which is next, so a thread that claims a task cannot
// mix up two loops: generation (32 bits), tasks (16), next (16).
uint64_t ticket_of(uint32_t generation, int tasks) {
  return uint64_t{generation} << 32 | static_cast<uint64_t>(tasks) << 16;
}
int tasks_of(uint64_t ticket) { return static_cast<int>(ticket >> 16 & 0xFFFF); }
int next_of(uint64_t ticket) { return static_cast<int>(ticket & 0xFFFF); }
bool exhausted(uint64_t ticket) { return next_of(ticket) >= tasks_of(ticket); }

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Spins until ready() or the time is up; says which.
template <class Ready>
bool spin_until(Ready&& ready) {
  const auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 64; ++i) {
      if (ready()) {
        return true;
      }
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

Range part(int64_t n, int index, int parts) { return {n * index / parts, n * (index + 1) / parts}; }

FlushDenormals::FlushDenormals() {
#if defined(__x86_64__)
  saved_ = _mm_getcsr();
  _mm_setcsr(static_cast<unsigned>(saved_) | 0x8040U);  // flush-to-zero, denormals-are-zero
#elif defined(__aarch64__)
  asm volatile("mrs %0, fpcr" : "=r"(saved_));
  asm volatile("msr fpcr, %0" ::"r"(saved_ | 1ULL << 24));
#else
  saved_ = 0;
#endif
}

FlushDenormals::~FlushDenormals() {
#if defined(__x86_64__)
  _mm_setcsr(static_cast<unsigned>(saved_));
#elif defined(__aarch64__)
  asm volatile("msr fpcr, %0" ::"r"(saved_));
#endif
}

struct ThreadPool::Impl {
  std::atomic<uint64_t> ticket{0};
  std::atomic<int> unfinished{0};
  std::atomic<bool> stopping{false};
  uint32_t generation = 0;
  Call call = nullptr;  // of the running loop; fixed from before its ticket is published until all tasks are done
  void* context = nullptr;
  std::vector<Tensor> scratch;  // per thread, the calling one first
  std::vector<std::thread> workers;

  // Runs tasks of the current loop until none is left to claim.
  void work(float* scratch) {
    uint64_t seen = ticket.load(std::memory_order_acquire);
    while (!exhausted(seen)) {
      if (!ticket.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel)) {
        continue;
      }
      call(context, next_of(seen), scratch);
      if (unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        unfinished.notify_one();
      }
      seen = ticket.load(std::memory_order_acquire);
    }
  }

  void worker(float* scratch) {
    const FlushDenormals flush;
    while (true) {
      work(scratch);
      // `ticket` is read before `stopping`. The destructor stores them in the opposite order, so a worker that reads
      // the destructor's ticket also reads stopping == true, and a worker that reads an older ticket does not wait,
      // because the value has changed. If `stopping` were read first, a worker could wait on the destructor's ticket
      // for ever.
      const uint64_t seen = ticket.load(std::memory_order_acquire);
      if (stopping.load(std::memory_order_acquire)) {
        return;
      }
      if (exhausted(seen) && !spin_until([&] { return ticket.load(std::memory_order_acquire) != seen; })) {
        ticket.wait(seen, std::memory_order_acquire);
      }
    }
  }
};

ThreadPool::ThreadPool(int threads) : impl_(std::make_unique<Impl>()) {
  HPML_CHECK(threads >= 1, fmt::format("a pool of {} threads", threads));
  for (int i = 0; i < threads; ++i) {
    impl_->scratch.emplace_back(Shape{1, 1, 1, static_cast<int>(kScratchFloats)});
  }
  for (int i = 1; i < threads; ++i) {
    float* scratch = impl_->scratch[static_cast<size_t>(i)].data();
    impl_->workers.emplace_back([impl = impl_.get(), scratch] { impl->worker(scratch); });
  }
}

ThreadPool::~ThreadPool() {
  impl_->stopping.store(true, std::memory_order_release);
  impl_->ticket.store(ticket_of(++impl_->generation, 0), std::memory_order_release);
  impl_->ticket.notify_all();
  for (std::thread& worker : impl_->workers) {
    worker.join();
  }
}

int ThreadPool::threads() const { return static_cast<int>(impl_->workers.size()) + 1; }

void ThreadPool::run_erased(int tasks, Call call, void* context) {
  HPML_CHECK(tasks >= 0 && tasks <= kMaxTasks, fmt::format("{} tasks in one loop", tasks));
  const FlushDenormals flush;
  float* own_scratch = impl_->scratch[0].data();
  if (impl_->workers.empty() || tasks <= 1) {
    for (int i = 0; i < tasks; ++i) {
      call(context, i, own_scratch);
    }
    return;
  }
  impl_->call = call;
  impl_->context = context;
  impl_->unfinished.store(tasks, std::memory_order_relaxed);
  impl_->ticket.store(ticket_of(++impl_->generation, tasks), std::memory_order_release);
  impl_->ticket.notify_all();
  impl_->work(own_scratch);
  const auto done = [&] { return impl_->unfinished.load(std::memory_order_acquire) == 0; };
  if (!spin_until(done)) {
    for (int left = impl_->unfinished.load(std::memory_order_acquire); left != 0;
         left = impl_->unfinished.load(std::memory_order_acquire)) {
      impl_->unfinished.wait(left, std::memory_order_acquire);
    }
  }
}

}  // namespace hpml::nn
