// libgpusim_preload.so: the clocks of the C library as a program under `gpusim run` sees them. They show simulated
// time, so that a program that times itself measures the simulated GPU and prints the same on every run. std::chrono
// and omp_get_wtime end here too. Until the runtime library connects itself, and inside it, the clocks are real.
#include <errno.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "simulator/cudart/preload/simulated_clock.hpp"

namespace hpml::sim::preload {
namespace {

constexpr int64_t kMicrosecond = 1000;
constexpr int64_t kEpoch = 1'704'067'200 * kSecond;  // 2024-01-01 00:00:00 UTC: every run starts then
constexpr int64_t kUptime = 1000 * kSecond;          // of the simulated machine when the program starts

timespec now(clockid_t clock) {
  const int64_t simulated = simulated_now();
  return simulated >= 0 ? to_timespec(base_of(clock) + simulated) : real_now(clock);
}

int sleep_for(int64_t nanoseconds, const timespec* request, timespec* remaining) {
  if (simulated_now() < 0) {
    return static_cast<int>(syscall(SYS_nanosleep, request, remaining));
  }
  // Alone, it would only lose time; others are waited for.
  if (has_company()) {
    const timespec real = to_timespec(nanoseconds);
    syscall(SYS_nanosleep, &real, nullptr);
  }
  hooks()->advance_clock(nanoseconds);
  if (remaining != nullptr) {
    *remaining = {};
  }
  return 0;
}

}  // namespace

int64_t simulated_now() {
  const Hooks* const runtime = hooks();
  return runtime != nullptr ? runtime->read_clock() : -1;
}

int64_t base_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: return kEpoch;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: return 0;
    default: return kUptime;
  }
}

timespec real_now(clockid_t clock) {
  timespec real{};
  syscall(SYS_clock_gettime, clock, &real);
  return real;
}

}  // namespace hpml::sim::preload

using namespace hpml::sim::preload;  // NOLINT(google-build-using-namespace): the C library has no namespace

HPML_INTERPOSED int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (simulated_now() < 0) {
    return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  }
  *time = now(clock);
  return 0;
}

HPML_INTERPOSED int gettimeofday(timeval* __restrict time, void* __restrict) noexcept {
  const timespec full = now(CLOCK_REALTIME);
  *time = {full.tv_sec, full.tv_nsec / kMicrosecond};
  return 0;
}

HPML_INTERPOSED time_t time(time_t* out) noexcept {
  const time_t seconds = now(CLOCK_REALTIME).tv_sec;
  if (out != nullptr) {
    *out = seconds;
  }
  return seconds;
}

HPML_INTERPOSED clock_t clock() noexcept {
  return static_cast<clock_t>(to_nanoseconds(now(CLOCK_PROCESS_CPUTIME_ID)) / kMicrosecond);
}

HPML_INTERPOSED int timespec_get(timespec* time, int base) noexcept {
  if (base != TIME_UTC) {
    return 0;
  }
  *time = now(CLOCK_REALTIME);
  return base;
}

HPML_INTERPOSED int nanosleep(const timespec* request, timespec* remaining) {
  if (!valid(*request)) {
    errno = EINVAL;
    return -1;
  }
  return sleep_for(to_nanoseconds(*request), request, remaining);
}

HPML_INTERPOSED int clock_nanosleep(clockid_t clock, int flags, const timespec* request, timespec* remaining) {
  if (!valid(*request)) {
    return EINVAL;
  }
  if (simulated_now() < 0) {
    return syscall(SYS_clock_nanosleep, clock, flags, request, remaining) == 0 ? 0 : errno;
  }
  const bool absolute = (flags & TIMER_ABSTIME) != 0;
  const int64_t duration = to_nanoseconds(*request) - (absolute ? to_nanoseconds(now(clock)) : 0);
  return sleep_for(duration > 0 ? duration : 0, request, absolute ? nullptr : remaining);
}

HPML_INTERPOSED int usleep(useconds_t microseconds) {
  const timespec request = to_timespec(int64_t{microseconds} * kMicrosecond);
  return sleep_for(to_nanoseconds(request), &request, nullptr);
}

HPML_INTERPOSED unsigned sleep(unsigned seconds) {
  const timespec request{static_cast<time_t>(seconds), 0};
  (void)sleep_for(to_nanoseconds(request), &request, nullptr);
  return 0;
}
