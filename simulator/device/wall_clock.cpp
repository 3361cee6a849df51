#include "simulator/device/wall_clock.hpp"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace hpml::sim::device {

double wall_seconds() {
  timespec now{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace hpml::sim::device
