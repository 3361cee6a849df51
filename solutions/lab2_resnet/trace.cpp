// P1: spans of time, per thread, and the file that chrome://tracing and ui.perfetto.dev open.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

#include "lab2.hpp"

namespace lab2 {

namespace {

using Clock = std::chrono::steady_clock;
using Buffer = std::vector<Event>;
std::atomic<uint64_t> next_tracer{1};  // an address may be used again by a later tracer, a number is not

class BufferedTracer : public Tracer {
 public:
  BufferedTracer() : id_(next_tracer.fetch_add(1)), start_(Clock::now()) {}

  int64_t now_ns() const override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  }

  void record(const Event& event) override { own_buffer().push_back(event); }

  std::vector<Event> events() const override {
    const std::lock_guard lock(mutex_);
    std::vector<Event> all;
    for (size_t thread = 0; thread < buffers_.size(); ++thread) {
      for (Event event : *buffers_[thread]) {
        event.thread = static_cast<int>(thread);
        all.push_back(event);
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Event& a, const Event& b) {
      if (a.thread != b.thread || a.start_ns != b.start_ns) {
        return a.thread != b.thread ? a.thread < b.thread : a.start_ns < b.start_ns;
      }
      return a.duration_ns > b.duration_ns;
    });
    return all;
  }

 private:
  // A thread remembers the tracer it recorded for last, so only a change takes the lock.
  Buffer& own_buffer() {
    thread_local uint64_t last_tracer = 0;
    thread_local Buffer* last_buffer = nullptr;
    if (last_tracer != id_) {
      const std::lock_guard lock(mutex_);
      Buffer*& buffer = by_thread_[std::this_thread::get_id()];
      if (buffer == nullptr) {
        buffer = buffers_.emplace_back(std::make_unique<Buffer>()).get();
      }
      last_buffer = buffer;
      last_tracer = id_;
    }
    return *last_buffer;
  }

  const uint64_t id_;
  const Clock::time_point start_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::map<std::thread::id, Buffer*> by_thread_;
};

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return result + "\"";
}

std::string micro(int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03d", static_cast<long long>(ns / 1000), static_cast<int>(ns % 1000));
  return text;
}

}  // namespace

std::unique_ptr<Tracer> make_tracer() { return std::make_unique<BufferedTracer>(); }

std::vector<int64_t> self_times(std::span<const Event> events) {
  std::vector<int64_t> self(events.size());
  std::vector<size_t> open;  // the events around the current one, outermost first
  for (size_t i = 0; i < events.size(); ++i) {
    const auto ended = [&](const Event& other) {
      return other.thread != events[i].thread || other.start_ns + other.duration_ns <= events[i].start_ns;
    };
    while (!open.empty() && ended(events[open.back()])) {
      open.pop_back();
    }
    self[i] = events[i].duration_ns;
    if (!open.empty()) {
      self[open.back()] -= events[i].duration_ns;
    }
    open.push_back(i);
  }
  return self;
}

std::string chrome_trace(std::span<const Event> events) {
  std::string lines;
  const auto line = [&](const std::string& text) { lines += (lines.empty() ? "" : ",\n") + text; };
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    const std::string where = ", \"pid\": 1, \"tid\": " + std::to_string(e.thread);
    if (i == 0 || events[i - 1].thread != e.thread) {
      line("{\"name\": \"thread_name\", \"ph\": \"M\"" + where + ", \"args\": {\"name\": \"thread " +
           std::to_string(e.thread) + "\"}}");
    }
    line("{\"name\": " + quoted(e.name) + ", \"cat\": " + quoted(e.pass) + ", \"ph\": \"X\", \"ts\": " +
         micro(e.start_ns) + ", \"dur\": " + micro(e.duration_ns) + where + ", \"args\": {\"pass\": " + quoted(e.pass) +
         ", \"flops\": " + std::to_string(e.flop) + ", \"bytes\": " + std::to_string(e.bytes) + "}}");
  }
  return "{\"traceEvents\": [\n" + lines + "\n], \"displayTimeUnit\": \"ms\"}\n";
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
