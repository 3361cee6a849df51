#include "common/nn/baseline/tracer.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

namespace hpml::nn::baseline {

namespace {

constexpr size_t kFirstEvents = 1 << 14;  // room that a thread gets at once

class BufferedTracer : public Tracer {
 public:
  BufferedTracer() : id_(next_id_.fetch_add(1)), start_(Clock::now()) {}

  int64_t now_ns() const override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  }

  void record(const TraceEvent& event) override { own_buffer().push_back(event); }

  std::vector<TraceEvent> events() const override {
    const std::lock_guard lock(mutex_);
    std::vector<TraceEvent> all;
    for (size_t thread = 0; thread < buffers_.size(); ++thread) {
      for (TraceEvent event : *buffers_[thread]) {
        event.thread = static_cast<int>(thread);
        all.push_back(event);
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const TraceEvent& a, const TraceEvent& b) {
      if (a.thread != b.thread || a.start_ns != b.start_ns) {
        return a.thread != b.thread ? a.thread < b.thread : a.start_ns < b.start_ns;
      }
      return a.duration_ns > b.duration_ns;
    });
    return all;
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Buffer = std::vector<TraceEvent>;

  // The calling thread's buffer. A thread remembers the tracer it recorded for last, so only a change takes the lock.
  Buffer& own_buffer() {
    thread_local uint64_t last_tracer = 0;
    thread_local Buffer* last_buffer = nullptr;
    if (last_tracer != id_) {
      const std::lock_guard lock(mutex_);
      Buffer*& buffer = by_thread_[std::this_thread::get_id()];
      if (buffer == nullptr) {
        buffer = buffers_.emplace_back(std::make_unique<Buffer>()).get();
        buffer->reserve(kFirstEvents);
      }
      last_buffer = buffer;
      last_tracer = id_;
    }
    return *last_buffer;
  }

  static inline std::atomic<uint64_t> next_id_{1};  // an address may be used again by a later tracer, an id is not
  const uint64_t id_;
  const Clock::time_point start_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::map<std::thread::id, Buffer*> by_thread_;
};

}  // namespace

std::unique_ptr<Tracer> make_tracer() { return std::make_unique<BufferedTracer>(); }

}  // namespace hpml::nn::baseline
