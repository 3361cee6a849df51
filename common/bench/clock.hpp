#pragma once
// The two clocks of a measurement, behind an interface so that tests can bring their own.
#include <cstdint>

#include "common/base/result.hpp"

namespace hpml::bench {

// What was taken from this process so far, by those that no process can see.
struct Withheld {
  int64_t periods = 0;            // of a control group that had used up its quota
  int64_t stolen = 0, ticks = 0;  // clock ticks that a hypervisor gave to others, of all ticks
};

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t wall_ns() = 0;  // elapsed, never stepped
  virtual int64_t cpu_ns() = 0;   // of the calling thread: does not count what others did meanwhile
  virtual Withheld withheld() = 0;
};

// CLOCK_MONOTONIC_RAW and CLOCK_THREAD_CPUTIME_ID; control groups and /proc/stat.
class SystemClock : public Clock {
 public:
  int64_t wall_ns() override;
  int64_t cpu_ns() override;
  Withheld withheld() override;
};

struct ClockReport {
  int64_t resolution_ns = 0;  // smallest step seen above zero
  int64_t cost_ns = 0;        // of one reading
};

// Reads the elapsed clock `readings` times: an error when it goes back or stands still.
Result<ClockReport> check_clock(Clock& clock, int readings = 1000);

}  // namespace hpml::bench
