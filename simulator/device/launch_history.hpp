#pragma once
// What the timed launches of a program have cost: in automatic mode a program of thousands of launches need not have
// every one timed. Decided by counts only, never by our own speed.
#include <map>
#include <optional>
#include <string>

#include "simulator/device/api.hpp"
#include "simulator/timing/counters.hpp"

namespace hpml::sim::device {

struct TimedLaunch {
  double cycles = 0;
  double estimate = 0;  // estimate_cycles() of the same launch
  double warp_instructions = 0;
  timing::ModelCounters modelled;
};

class LaunchHistory {
 public:
  // The timed launch from which this one's time may be taken; null: time it. The same launch again needs less of a
  // history than one with other parameters.
  const TimedLaunch* stand_in(const LaunchRequest& request) const;
  // effort: what timing it took, in warp instructions or in cycles in which something happened, whichever is more.
  void add(const LaunchRequest& request, uint64_t effort, const TimedLaunch& timed);

 private:
  struct Same {
    int times = 0;
    TimedLaunch last;
  };
  std::map<std::string, Same> same_;  // by everything that the program said of the launch
  std::map<KernelId, TimedLaunch> last_;
  uint64_t effort_ = 0;
};

}  // namespace hpml::sim::device
