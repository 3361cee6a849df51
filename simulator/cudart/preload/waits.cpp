// Waits with a deadline. A program computes the deadline from a clock that shows simulated time; the C library and the
// kernel compare deadlines with real time. So the function passes on a real deadline that lies as far ahead. The other
// threads, which signal, compute in real time: a wait takes as long in real time as the program has asked for. When it
// times out, the simulated clock is set forward to the deadline.
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "simulator/cudart/preload/simulated_clock.hpp"

namespace hpml::sim::preload {
namespace {

// Seconds, in the year 2096. A later deadline, such as the largest time_t, means no time-out: it is passed on as it is,
// so that no sum overflows.
constexpr time_t kNoTimeout = 4'000'000'000;

std::atomic<bool> company = false;

// Calls wait(clock, deadline), which returns 0 or an error, with the deadline on a real clock.
template <class Wait>
int until(clockid_t clock, const timespec* deadline, Wait wait) {
  const Hooks* const runtime = hooks();
  if (runtime == nullptr || deadline == nullptr || !valid(*deadline) || deadline->tv_sec > kNoTimeout) {
    return wait(clock, deadline);
  }
  const int64_t now = runtime->read_clock();
  const int64_t end = to_nanoseconds(*deadline) - base_of(clock);
  const timespec real = to_timespec(to_nanoseconds(real_now(clock)) + std::max<int64_t>(end - now, 0));
  const int error = wait(clock, &real);
  if (error == ETIMEDOUT) {
    runtime->advance_clock(std::max<int64_t>(end - runtime->read_clock(), 0));
  }
  return error;
}

// The clock of a condition variable is chosen when it is made, and cannot be asked for. Simulated time tells: a
// deadline of REALTIME is decades after those of MONOTONIC.
clockid_t clock_of(const timespec* deadline) {
  return deadline != nullptr && to_nanoseconds(*deadline) < base_of(CLOCK_REALTIME) / 2 ? CLOCK_MONOTONIC
                                                                                        : CLOCK_REALTIME;
}

void notice_company() {
  if (hooks() != nullptr) {
    company = true;
  }
}

int with_errno(int error) {
  if (error == 0) {
    return 0;
  }
  errno = error;
  return -1;
}

}  // namespace

bool has_company() { return company; }

}  // namespace hpml::sim::preload

using namespace hpml::sim::preload;  // NOLINT(google-build-using-namespace): the C library has no namespace

HPML_INTERPOSED int pthread_create(pthread_t* __restrict thread, const pthread_attr_t* __restrict attributes,
                                   void* (*start)(void*), void* __restrict argument) noexcept {
  static auto* const real = next<decltype(pthread_create)>("pthread_create");
  notice_company();
  return real(thread, attributes, start, argument);
}

__attribute__((constructor)) static void notice_forks() { pthread_atfork(nullptr, notice_company, notice_company); }

HPML_INTERPOSED int pthread_cond_clockwait(pthread_cond_t* __restrict condition, pthread_mutex_t* __restrict mutex,
                                           clockid_t clock, const timespec* __restrict deadline) {
  static auto* const real = next<decltype(pthread_cond_clockwait)>("pthread_cond_clockwait");
  return until(clock, deadline, [&](clockid_t of, const timespec* end) { return real(condition, mutex, of, end); });
}

HPML_INTERPOSED int pthread_cond_timedwait(pthread_cond_t* __restrict condition, pthread_mutex_t* __restrict mutex,
                                           const timespec* __restrict deadline) {
  static auto* const real = next<decltype(pthread_cond_timedwait)>("pthread_cond_timedwait");
  if (hooks() == nullptr) {
    return real(condition, mutex, deadline);
  }
  return pthread_cond_clockwait(condition, mutex, clock_of(deadline), deadline);
}

// The two forms in which a lock can be waited for: on a clock that the caller names, and on CLOCK_REALTIME.
#define HPML_TIMED_LOCK(type, clocked, timed)                                                              \
  HPML_INTERPOSED int clocked(type* lock, clockid_t clock, const timespec* deadline) noexcept {            \
    static auto* const real = next<decltype(clocked)>(#clocked);                                           \
    return until(clock, deadline, [&](clockid_t of, const timespec* end) { return real(lock, of, end); }); \
  }                                                                                                        \
  HPML_INTERPOSED int timed(type* lock, const timespec* deadline) noexcept {                               \
    return clocked(lock, CLOCK_REALTIME, deadline);                                                        \
  }

HPML_TIMED_LOCK(pthread_mutex_t, pthread_mutex_clocklock, pthread_mutex_timedlock)
HPML_TIMED_LOCK(pthread_rwlock_t, pthread_rwlock_clockrdlock, pthread_rwlock_timedrdlock)
HPML_TIMED_LOCK(pthread_rwlock_t, pthread_rwlock_clockwrlock, pthread_rwlock_timedwrlock)

HPML_INTERPOSED int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* deadline) {
  static auto* const real = next<decltype(pthread_clockjoin_np)>("pthread_clockjoin_np");
  return until(clock, deadline, [&](clockid_t of, const timespec* end) { return real(thread, result, of, end); });
}

HPML_INTERPOSED int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* deadline) {
  return pthread_clockjoin_np(thread, result, CLOCK_REALTIME, deadline);
}

HPML_INTERPOSED int sem_clockwait(sem_t* __restrict semaphore, clockid_t clock, const timespec* __restrict deadline) {
  static auto* const real = next<decltype(sem_clockwait)>("sem_clockwait");
  return with_errno(until(
      clock, deadline, [&](clockid_t of, const timespec* end) { return real(semaphore, of, end) == 0 ? 0 : errno; }));
}

HPML_INTERPOSED int sem_timedwait(sem_t* __restrict semaphore, const timespec* __restrict deadline) {
  return sem_clockwait(semaphore, CLOCK_REALTIME, deadline);
}

// std::future and the atomic waits of C++20 ask the kernel themselves. Only FUTEX_WAIT_BITSET has a deadline; the
// others say how long.
HPML_INTERPOSED long syscall(long number, ...) noexcept {
  static auto* const real = next<decltype(syscall)>("syscall");
  constexpr int kArguments = 6;
  long words[kArguments];
  va_list given;
  va_start(given, number);
  for (long& word : words) {
    word = va_arg(given, long);
  }
  va_end(given);
  const auto call = [&](long deadline) {
    return real(number, words[0], words[1], words[2], deadline, words[4], words[5]);
  };
  if (number != SYS_futex || (words[1] & FUTEX_CMD_MASK) != FUTEX_WAIT_BITSET) {
    return call(words[3]);
  }
  const clockid_t clock = (words[1] & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  return with_errno(until(clock, reinterpret_cast<const timespec*>(words[3]), [&](clockid_t, const timespec* end) {
    return call(reinterpret_cast<long>(end)) == 0 ? 0 : errno;
  }));
}
