// P1: spans of time, per thread, and the file that chrome://tracing and ui.perfetto.dev open.
#include "lab2.hpp"

namespace lab2 {

// BEGIN STUDENT
// Step 1. A buffer for every thread, so that record() waits for nobody; events() numbers the threads and sorts.
namespace {

class NoTracer : public Tracer {
 public:
  int64_t now_ns() const override { return 0; }
  void record(const Event&) override {}
  std::vector<Event> events() const override { return {}; }
};

}  // namespace

std::unique_ptr<Tracer> make_tracer() { return std::make_unique<NoTracer>(); }

// Step 2. Keep a stack of the events around the current one; each takes its duration from the one on top.
std::vector<int64_t> self_times(std::span<const Event>) { return {}; }

// Step 3. Times in microseconds; a name may hold quotation marks.
std::string chrome_trace(std::span<const Event>) { return ""; }
// END STUDENT

}  // namespace lab2
