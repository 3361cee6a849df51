#pragma once
// Simulated time, as the clocks and the waits of libgpusim_preload.so use it.
#include <stdint.h>
#include <time.h>

#include "simulator/cudart/preload/hooks.hpp"

namespace hpml::sim::preload {

constexpr int64_t kSecond = 1'000'000'000;

constexpr timespec to_timespec(int64_t nanoseconds) { return {nanoseconds / kSecond, nanoseconds % kSecond}; }
constexpr int64_t to_nanoseconds(const timespec& time) { return time.tv_sec * kSecond + time.tv_nsec; }
constexpr bool valid(const timespec& time) { return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < kSecond; }

// Nanoseconds since the start of the program; -1: the clocks are real.
int64_t simulated_now();
// Whether the program has made a thread or a process: somebody may work while it sleeps.
bool has_company();
// What a clock shows when the program starts.
int64_t base_of(clockid_t clock);
timespec real_now(clockid_t clock);

}  // namespace hpml::sim::preload
