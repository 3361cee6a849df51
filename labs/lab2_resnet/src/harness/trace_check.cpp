// trace self THREAD:START:DURATION...: self times of given events, one per line.
// trace write THREAD:START:DURATION...: these events as a Chrome trace.
// trace record THREADS EVENTS: threads record events of their own at the same time; prints what the tracer kept.
#include <cinttypes>
#include <string_view>
#include <thread>

#include "harness/check.hpp"

namespace {

std::vector<lab2::Event> given(int argc, char** argv) {
  std::vector<lab2::Event> events;
  for (int i = 2; i < argc; ++i) {
    long long start = 0, duration = 0;
    lab2::Event event{.name = "stem \"a\\b\"",
                      .pass = i % 2 == 0 ? "forward" : "backward",
                      .node = i,
                      .flop = 1000 * i,
                      .bytes = 10 * i};
    if (std::sscanf(argv[i], "%d:%lld:%lld", &event.thread, &start, &duration) != 3) {
      check::fail("an event is THREAD:START:DURATION");
    }
    event.start_ns = start;
    event.duration_ns = duration;
    events.push_back(event);
  }
  return events;
}

void record(int threads, int events) {
  const auto tracer = lab2::make_tracer();
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread) {
    running.emplace_back([&tracer, thread, events] {
      for (int i = 0; i < events; ++i) {  // the enclosed span ends, and is recorded, first
        const int64_t start = 1000 * int64_t{i};
        tracer->record({.name = "inner", .pass = "forward", .node = thread, .start_ns = start, .duration_ns = 400});
        tracer->record({.name = "outer", .pass = "step", .node = thread, .start_ns = start, .duration_ns = 900});
      }
    });
  }
  for (std::thread& thread : running) {
    thread.join();
  }
  for (const lab2::Event& e : tracer->events()) {
    std::printf("%d %d %s %" PRId64 " %" PRId64 "\n", e.thread, e.node, std::string(e.name).c_str(), e.start_ns,
                e.duration_ns);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "self") {
    for (const int64_t ns : lab2::self_times(given(argc, argv))) {
      std::printf("%" PRId64 "\n", ns);
    }
  } else if (what == "write") {
    std::fputs(lab2::chrome_trace(given(argc, argv)).c_str(), stdout);
  } else if (what == "record" && argc == 4) {
    record(std::atoi(argv[2]), std::atoi(argv[3]));
  } else {
    check::fail("usage: trace self|write THREAD:START:DURATION... | record THREADS EVENTS");
  }
  return 0;
}
