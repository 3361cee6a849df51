#pragma once
// What the timed launches of a program have cost: in automatic mode a program of thousands of launches need not have
// every one timed. Decided by counts only, never by our own speed.
#include <deque>
#include <map>
#include <string>

#include "simulator/device/api.hpp"
#include "simulator/timing/accesses.hpp"
#include "simulator/timing/counters.hpp"

namespace hpml::sim::device {

struct TimedLaunch {
  double cycles = 0;
  double estimate = 0;  // estimate_cycles() of the same launch
  double warp_instructions = 0;
  timing::ModelCounters modelled;
  timing::Accesses accesses = {};
};

class LaunchHistory {
 public:
  // The timed launch from which this one's time may be taken; null: time it. A kernel whose launches cost the same
  // again and again, by what they do, needs less of a history than the same launch twice, and that less than any other.
  const TimedLaunch* stand_in(const LaunchRequest& request);
  // The launch took another's time and executed so many warp instructions. Once they are others than those of the timed
  // one, the next launch is timed.
  void took(const LaunchRequest& request, double warp_instructions);
  // effort: what timing it took: warp instructions, sectors or cycles in which something happened, whichever is most.
  void add(const LaunchRequest& request, uint64_t effort, const TimedLaunch& timed);

 private:
  struct Same {
    int times = 0;
    TimedLaunch last;
  };
  // Launches of one kernel with one shape of grid and blocks, whatever their parameters.
  struct Alike {
    std::deque<double> ratios;   // cycles / estimate of the last few
    int interval = 0, left = 0;  // launches that may take the time of the last timed one, and how many still may
    TimedLaunch last;
    bool steady() const;
  };

  std::map<std::string, Same> same_;  // by launch_key()
  std::map<std::string, Alike> alike_;
  std::map<KernelId, TimedLaunch> last_;
  uint64_t effort_ = 0;
};

}  // namespace hpml::sim::device
