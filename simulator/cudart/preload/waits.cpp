// Waits with a deadline. A program computes the deadline from a clock that shows simulated time, and the C library and
// the kernel would compare it with the real time: it is translated. What is left of it is waited for really, because
// those who would end the wait work in real time. A wait that is over has taken its time on the simulated clock, too.
#include <dlfcn.h>
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

constexpr time_t kNever = 4'000'000'000;  // seconds, in 2096: whoever waits until then waits for ever on every clock

std::atomic<bool> company = false;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Calls wait(clock, deadline), which returns 0 or an error, with the deadline on a real clock.
template <class Wait>
int until(clockid_t clock, const timespec* deadline, Wait wait) {
  const Hooks* const runtime = hooks();
  if (runtime == nullptr || deadline == nullptr || !valid(*deadline) || deadline->tv_sec > kNever) {
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
  if (hooks() != nullptr) {
    company = true;
  }
  return real(thread, attributes, start, argument);
}

__attribute__((constructor)) static void notice_forks() {
  const auto notice = [] {
    if (hooks() != nullptr) {
      company = true;
    }
  };
  pthread_atfork(nullptr, notice, notice);
}

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

HPML_INTERPOSED int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                            const timespec* deadline) noexcept {
  static auto* const real = next<decltype(pthread_mutex_clocklock)>("pthread_mutex_clocklock");
  return until(clock, deadline, [&](clockid_t of, const timespec* end) { return real(mutex, of, end); });
}

HPML_INTERPOSED int pthread_mutex_timedlock(pthread_mutex_t* __restrict mutex,
                                            const timespec* __restrict deadline) noexcept {
  return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, deadline);
}

HPML_INTERPOSED int pthread_rwlock_clockrdlock(pthread_rwlock_t* __restrict lock, clockid_t clock,
                                               const timespec* __restrict deadline) noexcept {
  static auto* const real = next<decltype(pthread_rwlock_clockrdlock)>("pthread_rwlock_clockrdlock");
  return until(clock, deadline, [&](clockid_t of, const timespec* end) { return real(lock, of, end); });
}

HPML_INTERPOSED int pthread_rwlock_timedrdlock(pthread_rwlock_t* __restrict lock,
                                               const timespec* __restrict deadline) noexcept {
  return pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, deadline);
}

HPML_INTERPOSED int pthread_rwlock_clockwrlock(pthread_rwlock_t* __restrict lock, clockid_t clock,
                                               const timespec* __restrict deadline) noexcept {
  static auto* const real = next<decltype(pthread_rwlock_clockwrlock)>("pthread_rwlock_clockwrlock");
  return until(clock, deadline, [&](clockid_t of, const timespec* end) { return real(lock, of, end); });
}

HPML_INTERPOSED int pthread_rwlock_timedwrlock(pthread_rwlock_t* __restrict lock,
                                               const timespec* __restrict deadline) noexcept {
  return pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, deadline);
}

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
