#pragma once
// Spans of time, recorded per thread and written as a Chrome trace (chrome://tracing, https://ui.perfetto.dev).
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <vector>

namespace hpml::nn {

enum class Pass : uint8_t { none, forward, backward, update, load };
std::string_view to_string(Pass pass);

struct TraceEvent {
  std::string_view name;  // must outlive the tracer: a node's name or a literal
  Pass pass = Pass::none;
  int node = -1;                          // index in the graph, -1: not a layer
  int images = 0;                         // of the batch
  int thread = 0;                         // 0, 1, ...: in the order in which threads recorded their first event
  int64_t start_ns = 0, duration_ns = 0;  // start: since the tracer was made
};

class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual int64_t now_ns() const = 0;
  // Called from any thread, at the end of the span; at most 100 ns.
  virtual void record(const TraceEvent& event) = 0;
  // All events, by thread, then by start; enclosing spans before the enclosed. No thread may be recording.
  virtual std::vector<TraceEvent> events() const = 0;
};

// Records from its construction to its destruction. With a null tracer it costs one branch.
class Span {
 public:
  Span(Tracer* tracer, std::string_view name, Pass pass = Pass::none, int node = -1, int images = 0)
      : tracer_(tracer), event_{.name = name, .pass = pass, .node = node, .images = images} {
    if (tracer_ != nullptr) {
      event_.start_ns = tracer_->now_ns();
    }
  }
  ~Span() {
    if (tracer_ != nullptr) {
      event_.duration_ns = tracer_->now_ns() - event_.start_ns;
      tracer_->record(event_);
    }
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  Tracer* tracer_;
  TraceEvent event_;
};

}  // namespace hpml::nn
