#pragma once
// How long a program's threads wait for time to pass, as the kernel says it: of a program that says itself how long it
// has slept, or that sleeps less than it was asked to, this is the truth.
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace hpml::worker {

// Whether a thread waits until some time, by its line in /proc/PID/task/TID/syscall (proc(5)): it sleeps, or waits for
// an event with a time-out, as a thread does that can be woken before its time.
bool waits_for_time(std::string_view line);

// Looks at a program again and again; each look counts for the time since the one before.
class Asleep {
 public:
  void look(pid_t program);

  // Whether the kernel tells it: it may be told not to (ptrace(2): Yama), or not be Linux's own.
  bool known() const { return known_; }

  // Nanoseconds of all threads together while `threads` or more of them waited at once.
  int64_t ns(int threads = 1) const;

 private:
  static constexpr size_t kMost = 64;        // threads that are told apart
  std::array<int64_t, kMost + 1> waited_{};  // nanoseconds in which so many threads waited
  int64_t last_ns_ = 0;
  bool known_ = false;
};

}  // namespace hpml::worker
