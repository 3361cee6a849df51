#include "common/bench/clock.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "common/bench/machine.hpp"
#include "common/bench/quota.hpp"

namespace hpml::bench {
namespace {

int64_t read(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

int64_t SystemClock::wall_ns() { return read(CLOCK_MONOTONIC_RAW); }
int64_t SystemClock::cpu_ns() { return read(CLOCK_THREAD_CPUTIME_ID); }

Withheld SystemClock::withheld() {
  const ProcessorTicks ticks = processor_ticks();
  return {processor_quota().held_back, ticks.stolen, ticks.all};
}

Result<ClockReport> check_clock(Clock& clock, int readings) {
  const int64_t first = clock.wall_ns();
  int64_t before = first, smallest = 0;
  for (int i = 0; i < readings; ++i) {
    const int64_t now = clock.wall_ns();
    if (now < before) {
      return error_in("<clock>", fmt::format("it went back by {} ns", before - now));
    }
    if (now > before) {
      smallest = smallest == 0 ? now - before : std::min(smallest, now - before);
    }
    before = now;
  }
  if (smallest == 0) {
    return error_in("<clock>", fmt::format("it stood still over {} readings", readings));
  }
  return ClockReport{smallest, (before - first) / readings};
}

}  // namespace hpml::bench
