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
// that waits but changes registers (a back-off counter, a clock) is not seen to wait. Less for a loop that asks for
// what others write. A real loop this long loses nothing but the shared execution of what follows it.
constexpr uint32_t kPatience = 200'000, kPatienceOfWhoAsks = 2'000;
constexpr int kDeepest = 4;  // calls
// The same, counted in nanosleeps: who sleeps waits, and back-off loops sleep longer each time.
constexpr uint32_t kNapsOfPatience = 8;

}  // namespace

bool WarpControl::someone_parked() const {
  for (const Split& split : splits_) {
    if (split.in_use && split.arrived != 0) {
      return true;
    }
  }
  return false;
}

// Lanes at their meeting points go on without those they waited for; so will all that arrive there later.
void WarpControl::release_parked() {
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

// Is there an instruction from `first` to `last` by which a lane can see that another one has written something?
bool WarpControl::asks_others(const ir::Function& function, Pc first, Pc last, int depth) const {
  for (Pc pc = first; pc <= last; ++pc) {
    const ir::Inst& inst = function.code[pc];
    if (inst.mem == isa::Mem::atom || (inst.mem == isa::Mem::ld && inst.mods.sem != isa::Sem::weak)) {
      return true;
    }
    if (inst.control == isa::Control::call && function.calls[inst.extra].callee >= 0 && depth < kDeepest) {
      const auto callee = static_cast<size_t>(function.calls[inst.extra].callee);
      const ir::Function& called = grid_->launch_.module->functions[callee];
      if (asks_others(called, 0, static_cast<Pc>(called.code.size() - 1), depth + 1)) {
        return true;
      }
    }
  }
  return false;
}

// The current group has just taken a backward branch, from `branch`, and `look` of them in all.
void WarpControl::look_at_loop(Pc branch) {
  Group& g = groups_[static_cast<size_t>(current_)];
  Patience& p = g.patience;
  const Loop loop = spin_.look(*g.frame, g.pc);
  p.look = p.spins + (loop == Loop::moves ? std::min(p.spins, kSpinLimit) : 1);
  const bool waits = loop == Loop::waits;
  const auto out_of_patience = [&] {
    return p.spins >= kPatience || (p.spins >= kPatienceOfWhoAsks && asks_others(*g.frame->function, g.pc, branch));
  };
  if (someone_parked() && (waits || out_of_patience())) {
    release_parked();
    return give_way();
  }
  if (groups_.size() > 1 && (waits || p.spins - p.turn >= kSpinLimit)) {
    return give_way();
  }
  idle_ = waits && groups_.size() == 1;
}

// The current group has slept.
void WarpControl::nap() {
  uint32_t& naps = groups_[static_cast<size_t>(current_)].patience.naps;
  if (++naps >= kNapsOfPatience && someone_parked()) {
    naps = 0;
    release_parked();
  }
  give_way();
}

// The current group has found what it waits for (an mbarrier's phase) not done yet.
void WarpControl::wait_for_others() {
  const Group& g = groups_[static_cast<size_t>(current_)];
  idle_ = groups_.size() == 1 && spin_.look(*g.frame, g.pc) == Loop::waits;
}

}  // namespace hpml::sim::exec
