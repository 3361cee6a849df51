#pragma once
// The two clocks of a measurement, behind an interface so that tests can bring their own.
#include <cstdint>

#include "common/base/result.hpp"

namespace hpml::bench {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t wall_ns() = 0;  // elapsed, never stepped
  virtual int64_t cpu_ns() = 0;   // of the calling thread: does not count what others did meanwhile
};

// CLOCK_MONOTONIC_RAW and CLOCK_THREAD_CPUTIME_ID.
class SystemClock : public Clock {
 public:
  int64_t wall_ns() override;
  int64_t cpu_ns() override;
};

struct ClockReport {
  int64_t resolution_ns = 0;  // smallest step seen above zero
  int64_t cost_ns = 0;        // of one reading
};

// Reads the elapsed clock `readings` times: an error when it goes back or stands still.
Result<ClockReport> check_clock(Clock& clock, int readings = 1000);

}  // namespace hpml::bench
