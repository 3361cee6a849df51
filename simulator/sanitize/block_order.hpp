#pragma once
// Which earlier accesses of a block's threads are ordered before what a thread does now.
//
// Each warp counts its synchronisations; an access carries the count at its time ("moment"). What a warp knows of
// another grows at block barriers, what a lane knows of another lane at warp-wide synchronisation, and both through
// locks (atomic exchange and compare-and-swap, acquire and release). The moments a thread knows of are ordered.
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "simulator/isa/types.hpp"

namespace hpml::sim::sanitize {

class BlockOrder {
 public:
  using Moment = uint32_t;

  void start(int warps);
  Moment now(int warp) const { return now_[static_cast<size_t>(warp)]; }

  // Is what `lanes` of `warp` did at `then` ordered before what lane `lane` of `self` does now? Of its own lane
  // everything is.
  bool ordered(int self, int lane, int warp, isa::LaneMask lanes, Moment then) const {
    if (self == warp) {
      if (then <= floor_[static_cast<size_t>(self)]) {
        return true;
      }
      const isa::LaneMask others = lanes & ~(1u << lane);
      return others == 0 || ordered_lanes(self, lane, others, then);
    }
    return then <= seen_[static_cast<size_t>(self) * warps_ + static_cast<size_t>(warp)] ||
           (!locks_.empty() && known_through_locks(self, lane, warp, lanes, then));
  }

  void barrier_passed_by(int warp, int barrier);  // bar.arrive
  // waited: a bit for each warp. everybody: threads that have exited count as arrived.
  void barrier_opens(int barrier, uint64_t waited, bool everybody);
  // live: lanes of the warp that have not exited.
  void warp_synced(int warp, isa::LaneMask lanes, isa::LaneMask live);
  // A thread releases (what it did so far is seen by who acquires), and acquires, at an address.
  void lock(int warp, int lane, uint64_t address);

 private:
  using Lanes = std::array<std::array<Moment, 32>, 32>;  // [who knows][of whom]
  using Known = std::map<uint32_t, Moment>;              // by thread
  bool ordered_lanes(int warp, int lane, isa::LaneMask others, Moment then) const;
  void share_through_locks(int warp, isa::LaneMask lanes);
  bool known_through_locks(int self, int lane, int warp, isa::LaneMask lanes, Moment then) const;

  size_t warps_ = 0;
  std::vector<Moment> now_, floor_;  // floor: known to all lanes of the warp
  std::vector<Moment> seen_;         // [who][of whom], by warp
  std::vector<std::unique_ptr<Lanes>> lanes_;
  struct Passed {
    int warp = 0;
    Moment then = 0;
  };
  std::array<std::vector<Passed>, 17> passed_;  // the last: of the cluster
  std::map<uint64_t, Known> locks_;             // by address
  std::map<uint32_t, Known> threads_;           // what a thread knows through locks
};

}  // namespace hpml::sim::sanitize
