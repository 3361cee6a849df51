#pragma once
// P1: what profile.cpp defines. The given `chatbot profile` records the spans of one training step.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lab6 {

// A span of one thread. Spans of a thread do not overlap unless one lies inside the other.
struct Event {
  std::string name;  // "decoder.out"
  std::string pass;  // "forward", "backward", "update"; "step" for the span around all of them
  int thread = 0;
  int64_t start_ns = 0, duration_ns = 0;
  int64_t flops = 0;  // inside the span, spans inside it included
  int64_t bytes = 0;  // that it must move between memory and processor, where that is known
};

struct OperatorRow {
  std::string name, pass;
  int64_t calls = 0;
  int64_t self_ns = 0;     // time inside the spans of this name and pass, without that of spans inside them
  int64_t self_flops = 0;  // the same for FLOP
  double share = 0;        // of the self times of all rows together
};

// One row for each name and pass. The longest self time first, ties in alphabetical order of name, then pass.
std::vector<OperatorRow> top_operators(std::span<const Event> events);

// Chrome's trace event format, which chrome://tracing and https://ui.perfetto.dev open:
//   {"traceEvents": [...], "displayTimeUnit": "ms"}
// One event of ph "X" for each span: name, cat = pass, ts and dur in microseconds, pid 1, tid = thread, and
// args {"pass", "flops", "bytes"}; one of ph "M", name "thread_name", args {"name": "thread 0"} for each thread.
std::string chrome_trace(std::span<const Event> events);

}  // namespace lab6
