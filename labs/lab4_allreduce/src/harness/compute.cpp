#include "compute.h"

#include <mpi.h>  // SMPI's header turns nanosleep into its own, which advances virtual time
#include <time.h>

#include <cmath>

namespace hpml {

void compute(double seconds) {
  if (!(seconds > 0)) {
    return;
  }
  timespec time{};
  time.tv_sec = static_cast<time_t>(seconds);
  time.tv_nsec = static_cast<long>(std::lround((seconds - static_cast<double>(time.tv_sec)) * 1e9));
  if (time.tv_nsec == 1000000000) {
    ++time.tv_sec;
    time.tv_nsec = 0;
  }
  nanosleep(&time, nullptr);
}

}  // namespace hpml
