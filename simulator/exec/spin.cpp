// Forward progress of lanes that wait in a loop (CUDA C++ Programming Guide, "Independent Thread Scheduling"): what
// they wait for may have to be done by other groups of their warp, by lanes parked at a meeting point behind the loop
// (the winner of a lock, for one), by other warps or by blocks that have not started.
#include <algorithm>

#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {

// Backward branches a group may take while other groups of its warp wait for their turn.
constexpr uint32_t kSpinLimit = 1000;
// Backward branches after which lanes parked behind a loop go on without those still in it, whatever these do: a loop
// that waits but changes registers (a back-off counter, a clock) is not seen to wait. A real loop this long loses
// nothing but the shared execution of what follows it.
constexpr uint32_t kPatience = 200'000;
// The same, counted in nanosleeps: who sleeps waits, and back-off loops sleep longer each time.
constexpr uint32_t kNapsOfPatience = 8;

}  // namespace

bool WarpImpl::someone_parked() const {
  for (const Split& split : splits_) {
    if (split.in_use && split.arrived != 0) {
      return true;
    }
  }
  return false;
}

// Lanes at their meeting points go on without those they waited for; so will all that arrive there later.
void WarpImpl::release_parked() {
  for (Split& split : splits_) {
    if (!split.in_use || split.arrived == 0) {
      continue;
    }
    Group early;
    early.pc = split.reconverge;
    early.mask = split.arrived;
    early.frame = const_cast<Frame*>(split.frame);
    early.split = split.parent;
    split.arrived = 0;
    split.broken = true;
    groups_.insert(groups_.begin(), early);
    ++current_;
  }
}

// The current group has just taken a backward branch and `look` of them in all.
void WarpImpl::look_at_loop() {
  Group& g = groups_[static_cast<size_t>(current_)];
  const Loop loop = spin_.look(*g.frame, g.pc);
  g.look = g.spins + (loop == Loop::moves ? std::min(g.spins, kSpinLimit) : 1);
  const bool waits = loop == Loop::waits;
  if ((waits || g.spins >= kPatience) && someone_parked()) {
    release_parked();
    return give_way();
  }
  if (groups_.size() > 1 && (waits || g.spins - g.turn >= kSpinLimit)) {
    return give_way();
  }
  idle_ = waits && groups_.size() == 1;
}

// The current group has slept.
void WarpImpl::nap() {
  Group& g = groups_[static_cast<size_t>(current_)];
  if (++g.naps >= kNapsOfPatience && someone_parked()) {
    g.naps = 0;
    release_parked();
  }
  give_way();
}

// The current group has found what it waits for (an mbarrier's phase) not done yet.
void WarpImpl::wait_for_others() {
  const Group& g = groups_[static_cast<size_t>(current_)];
  idle_ = groups_.size() == 1 && spin_.look(*g.frame, g.pc) == Loop::waits;
}

}  // namespace hpml::sim::exec
