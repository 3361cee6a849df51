#pragma once
// Spans of one thread's work, for the profile: name, pass, begin and end, and the multiplications inside.
#include <chrono>

#include "harness/compute.hpp"
#include "profile.hpp"

namespace lab6 {

class Recorder {
 public:
  explicit Recorder(const PoolCompute& compute) : compute_(compute), start_(Clock::now()) {}

  int64_t now_ns() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  }
  int64_t macs() const { return compute_.macs(); }
  void record(const Event& event) { events_.push_back(event); }
  const std::vector<Event>& events() const { return events_; }

 private:
  using Clock = std::chrono::steady_clock;
  const PoolCompute& compute_;
  Clock::time_point start_;
  std::vector<Event> events_;
};

// Records from its construction to its destruction; nothing without a recorder.
class Span {
 public:
  Span(Recorder* recorder, const char* name, const char* pass, int64_t bytes = 0) : recorder_(recorder) {
    if (recorder_ != nullptr) {
      event_ = {.name = name, .pass = pass, .start_ns = recorder_->now_ns(), .bytes = bytes};
      macs_ = recorder_->macs();
    }
  }
  ~Span() {
    if (recorder_ != nullptr) {
      event_.duration_ns = recorder_->now_ns() - event_.start_ns;
      event_.flops = 2 * (recorder_->macs() - macs_);
      recorder_->record(event_);
    }
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  Recorder* recorder_;
  Event event_;
  int64_t macs_ = 0;
};

}  // namespace lab6
