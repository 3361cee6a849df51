// Divergence, reconvergence and the choice of the next group (warp_state.hpp tells the model).
#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {

// Do lanes at `pc` return from the function without doing anything else?
bool only_leaves(const ir::Function& function, Pc pc) {
  constexpr int kMostJumps = 8;
  for (int jumps = 0; jumps < kMostJumps && function.code[pc].guard == isa::kNoSlot; ++jumps) {
    const ir::Inst& inst = function.code[pc];
    if (inst.control != isa::Control::bra) {
      return inst.control == isa::Control::ret || inst.control == isa::Control::exit;
    }
    pc = inst.target;
  }
  return false;
}

}  // namespace

int WarpControl::new_split(Pc reconverge, const Frame* frame, LaneMask lanes, int parent) {
  size_t index = 0;
  while (index < splits_.size() && splits_[index].in_use) {
    ++index;
  }
  if (index == splits_.size()) {
    splits_.emplace_back();
  }
  splits_[index] = {reconverge, frame, lanes, 0, parent, true, false, {}};
  return static_cast<int>(index);
}

// Some lanes go elsewhere. Lanes that leave for the meeting point itself park there at once.
void WarpControl::diverge(int group, Pc reconverge, LaneMask leaving, Pc leaving_pc) {
  Group& g = groups_[static_cast<size_t>(group)];
  if (reconverge != ir::kNoPc) {
    g.split = split_for(g, reconverge);
  }
  Group other = g;
  other.mask = leaving;
  other.pc = leaving_pc;
  other.patience = {.naps = g.patience.naps};
  g.mask &= ~leaving;
  groups_.push_back(other);
}

// Lanes that park at the split without ever having been a group of their own.
void WarpControl::park_lanes(Split& split, LaneMask lanes, const Patience& patience) {
  split.pending &= ~lanes;
  split.arrived |= lanes;
  const uint32_t naps = std::max(split.patience.naps, patience.naps);
  split.patience = split.patience.spins < patience.spins ? patience : split.patience;
  split.patience.naps = naps;
}

// The split at which the lanes of a branch of `g` meet: the one the group has, where it is the exit of a loop that
// lanes leave one by one, else a new one.
int WarpControl::split_for(const Group& g, Pc reconverge) {
  const bool same = g.split >= 0 && splits_[static_cast<size_t>(g.split)].reconverge == reconverge &&
                    splits_[static_cast<size_t>(g.split)].frame == g.frame;
  return same ? g.split : new_split(reconverge, g.frame, g.mask, g.split);
}

// One side of the branch is at the meeting point already: it parks at once, and no group is made for it. False:
// neither, or the other side would not run next.
bool WarpControl::branch_past(const ir::Inst& inst, LaneMask taken) {
  Group& g = groups_[static_cast<size_t>(current_)];
  const Pc next = g.pc + 1;
  const bool leaving_parks = inst.target == inst.reconverge, staying_parks = next == inst.reconverge;
  if (leaving_parks == staying_parks || current_ != static_cast<int>(groups_.size()) - 1) {
    return false;
  }
  g.split = split_for(g, inst.reconverge);
  Split& split = splits_[static_cast<size_t>(g.split)];
  if (split.broken) {
    return false;
  }
  if (leaving_parks) {
    park_lanes(split, taken, {.naps = g.patience.naps});
    g.mask &= ~taken;
    g.pc = next;
  } else {
    park_lanes(split, g.mask & ~taken, g.patience);
    g.mask = taken;
    g.pc = inst.target;
    g.patience = {.naps = g.patience.naps};
  }
  return true;
}

void WarpControl::take_branch(const ir::Inst& inst, LaneMask taken) {
  if (branch_past(inst, taken)) {
    return;
  }
  const int staying = current_;
  groups_[static_cast<size_t>(staying)].pc += 1;
  diverge(staying, inst.reconverge, taken, inst.target);
  const int leaving = static_cast<int>(groups_.size()) - 1;
  // The newest group runs first; each side may already be at the meeting point.
  current_ = staying;
  if (arrive_if_joined()) {
    return;  // the staying side parked; choose_group() picked the leaving one
  }
  current_ = leaving;
  arrive_if_joined();
}

void WarpControl::indirect_branch(const ir::Inst& inst, LaneMask active) {
  const std::vector<Pc>& targets = groups_[static_cast<size_t>(current_)].frame->function->branch_targets[inst.extra];
  std::array<uint32_t, 32> index;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    index[static_cast<size_t>(lane)] = value_u32(inst.src[0], lane);
    if (index[static_cast<size_t>(lane)] >= targets.size()) {
      return fail(TrapKind::invalid_pc, "brx.idx outside its target list", lane);
    }
  }
  const int self = current_;
  Group& g = groups_[static_cast<size_t>(self)];
  LaneMask rest = active;
  const bool all_leave = active == g.mask;
  Pc stay_pc = g.pc + 1;
  if (all_leave) {  // the lanes of the first target stay in this group
    const uint32_t first = index[static_cast<size_t>(std::countr_zero(active))];
    stay_pc = targets[first];
    for (LaneMask r = active; r != 0; r &= r - 1) {
      const int lane = std::countr_zero(r);
      if (targets[index[static_cast<size_t>(lane)]] == stay_pc) {
        rest &= ~(1u << lane);
      }
    }
  }
  g.pc = stay_pc;
  while (rest != 0) {
    const Pc target = targets[index[static_cast<size_t>(std::countr_zero(rest))]];
    LaneMask lanes = 0;
    for (LaneMask r = rest; r != 0; r &= r - 1) {
      const int lane = std::countr_zero(r);
      lanes |= targets[index[static_cast<size_t>(lane)]] == target ? 1u << lane : 0u;
    }
    diverge(self, inst.reconverge, lanes, target);
    rest &= ~lanes;
  }
  // Those already at the meeting point park, last first: parking moves the groups behind it.
  for (int i = static_cast<int>(groups_.size()) - 1; i >= 0; --i) {
    if (i < static_cast<int>(groups_.size()) && groups_[static_cast<size_t>(i)].wait == Wait::none) {
      current_ = i;
      arrive_if_joined();
    }
  }
  choose_group();
}

// True when the current group was at its meeting point: it is gone (parked or merged) and current_ has changed.
bool WarpControl::arrive_if_joined() {
  bool joined = false;
  while (current_ >= 0) {
    const Group& g = groups_[static_cast<size_t>(current_)];
    if (g.split < 0) {
      return joined;
    }
    const Split& split = splits_[static_cast<size_t>(g.split)];
    if (split.reconverge != g.pc || split.frame != g.frame) {
      return joined;
    }
    joined = true;
    if (!park(current_)) {
      return true;
    }
  }
  return joined;
}

// True for the last to arrive: the merged group is current and may be at an outer meeting point too.
bool WarpControl::park(int group) {
  Group& g = groups_[static_cast<size_t>(group)];
  const int index = g.split;
  Split& split = splits_[static_cast<size_t>(index)];
  park_lanes(split, g.mask, g.patience);
  const bool last = split.pending == 0 || split.broken;
  if (last && group == static_cast<int>(groups_.size()) - 1) {  // what complete() does, in place
    g = {.pc = g.pc, .mask = split.arrived, .frame = g.frame, .split = split.parent, .patience = split.patience};
    split.arrived = 0;
    split.in_use = split.pending != 0;
    current_ = group;
    return true;
  }
  remove_group(group);
  if (last) {
    complete(index);
    return true;
  }
  choose_group();
  return false;
}

// All lanes of the split have arrived or exited, or nobody waits any more: those that arrived go on as one group.
void WarpControl::complete(int index) {
  const Split split = splits_[static_cast<size_t>(index)];
  splits_[static_cast<size_t>(index)].arrived = 0;
  splits_[static_cast<size_t>(index)].in_use = split.pending != 0;
  if (split.arrived == 0) {
    choose_group();
    return;
  }
  Group merged;
  merged.pc = split.reconverge;
  merged.mask = split.arrived;
  merged.frame = const_cast<Frame*>(split.frame);
  merged.split = split.parent;
  merged.patience = split.patience;
  groups_.push_back(merged);
  current_ = static_cast<int>(groups_.size()) - 1;
}

void WarpControl::remove_group(int group) {
  groups_.erase(groups_.begin() + group);
  if (current_ > group) {
    --current_;
  } else if (current_ == group) {
    current_ = -1;
  }
}

// Newest runnable group.
void WarpControl::choose_group() {
  for (int i = static_cast<int>(groups_.size()) - 1; i >= 0; --i) {
    if (groups_[static_cast<size_t>(i)].wait == Wait::none) {
      current_ = i;
      return;
    }
  }
  current_ = -1;
}

// The current group goes to the back of the line.
void WarpControl::give_way() {
  Group g = groups_[static_cast<size_t>(current_)];
  g.patience.turn = g.patience.spins;
  groups_.erase(groups_.begin() + current_);
  groups_.insert(groups_.begin(), g);
  choose_group();
}

// The lanes leave every mask; meeting points and barriers no longer wait for them.
void WarpControl::exit_lanes(LaneMask lanes) {
  live_ &= ~lanes;
  Group& g = groups_[static_cast<size_t>(current_)];
  g.mask &= ~lanes;
  if (g.mask == 0) {
    remove_group(current_);
    choose_group();
  } else {
    ++g.pc;
  }
  for (int i = 0; i < static_cast<int>(splits_.size()); ++i) {
    Split& split = splits_[static_cast<size_t>(i)];
    if (split.in_use && (split.pending & lanes) != 0) {
      split.pending &= ~lanes;
      if (split.pending == 0) {
        complete(i);
        i = -1;  // an outer split may be complete now
      }
    }
  }
  if (live_ == 0) {
    current_ = -1;
    leave_cluster(lanes);
    if (grid_->latency() != nullptr) {
      grid_->warp_took(cycles_);
    }
    block_->warp_finished();
    return;
  }
  leave_cluster(lanes);
  // A merged or advanced group may stand at a meeting point.
  if (current_ >= 0) {
    arrive_if_joined();
  }
  // Lanes that waited for the exited ones: at warp-wide instructions, at barriers.
  while (run_complete(0)) {
  }
  block_->check_barriers();
}

// Called when the warp has live lanes and none of them can run. Lanes parked at a reconvergence point must not block
// the others: if only the end of the kernel follows, the parked lanes exit; otherwise a warp-wide instruction whose
// mask names them executes without them, since they wait for the lanes that execute it. (Block barriers wait for every
// live lane.)
void WarpControl::let_stalled_go_on() {
  const auto without_parked = [this] {
    LaneMask parked = 0;
    for (const Split& split : splits_) {
      parked |= split.in_use ? split.arrived : 0;
    }
    return parked != 0 && run_complete(parked);
  };
  while (stalled() && (return_parked() || without_parked())) {
  }
}

// Lanes parked where the kernel returns need not wait for the others. False: there are none.
bool WarpControl::return_parked() {
  for (int i = 0; i < static_cast<int>(splits_.size()); ++i) {
    Split& split = splits_[static_cast<size_t>(i)];
    if (!split.in_use || split.arrived == 0 || split.frame->caller != nullptr) {
      continue;
    }
    if (only_leaves(*split.frame->function, split.reconverge)) {
      split.broken = true;
      complete(i);
      return true;
    }
  }
  return false;
}

}  // namespace hpml::sim::exec
