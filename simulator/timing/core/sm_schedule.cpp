// The issue schedulers: which warp issues in a cycle, and what the others wait for.
#include <bit>

#include "simulator/timing/core/sm.hpp"

namespace hpml::sim::timing {

namespace {

Stall stall_of(Wait wait) {
  return wait == Wait::long_ ? Stall::long_scoreboard : wait == Wait::short_ ? Stall::short_scoreboard : Stall::wait;
}

}  // namespace

void Sm::schedule_from(size_t first, Cycle now) {
  for (size_t sub = first; sub < subs_.size() && held_.sub < 0; ++sub) {
    if (!paused_ && subs_[sub].wake <= now) {
      schedule(sub, now);
    }
  }
}

// Adds the cycles since the last evaluation: nothing could issue in them, so every warp kept its reason.
void Sm::account(SubPartition& sub, Cycle now) {
  const uint64_t cycles = now - sub.evaluated;
  sub.evaluated = now;
  if (cycles == 0 || !sub.occupied) {
    return;
  }
  counters_.scheduler_cycles_active += cycles;
  sub.warp_cycles.add(sub.reasons, cycles, counters_.stall_cycles);
}

// The same for a warp that is there since then.
void Sm::account_start(SubPartition& sub, Cycle since, Cycle now) {
  const Cycle idle_since = later(since, sub.evaluated);
  account(sub, now);
  counters_.stall_cycles[static_cast<size_t>(Stall::no_instruction)] += now - since;
  if (sub.resident == 0) {
    counters_.scheduler_cycles_active += now - idle_since;
  }
}

uint64_t& Sm::pipe_free(size_t sub, Pipe pipe) {
  const bool shared = pipe == Pipe::fp64 && spec_.core.fp64_pipe_per_sm;
  return shared ? fp64_free_ : subs_[sub].pipe_free[static_cast<size_t>(pipe)];
}

uint64_t Sm::pipe_free(size_t sub, Pipe pipe) const { return const_cast<Sm*>(this)->pipe_free(sub, pipe); }

// What the warp waits for of its own. not_selected: nothing. Lowers `next` to the cycle at which the answer may change
// by itself.
Stall Sm::own_wait(const WarpState& w, Cycle now, Cycle& next) const {
  if (w.phase == WarpState::Phase::barrier) {
    return Stall::barrier;
  }
  if (w.hold_until > now) {
    next = earlier(next, w.hold_until);
    return w.hold_reason;
  }
  const Cycle ready = ready_cycle(w.needs);
  if (ready > now) {
    next = earlier(next, ready);
    return stall_of(wait_kind(w.needs));
  }
  if (!w.copies.empty() || w.mbarrier != nullptr) {
    const Cycle arrived = copies_awaited(w);
    if (arrived > now) {
      next = earlier(next, arrived);
      return Stall::long_scoreboard;
    }
  }
  return Stall::not_selected;
}

// The same for what its instruction issues to.
Stall Sm::target_wait(size_t sub, IssueTarget target, Cycle now, Cycle& next) const {
  if (target < kPipeCount) {
    const uint64_t free = pipe_free(sub, static_cast<Pipe>(target));
    if (free < fine(now + 1)) {
      return Stall::not_selected;
    }
    next = earlier(next, whole(free));
    return Stall::math_pipe_throttle;
  }
  if (target == kNoTarget || lsu_.can_send(static_cast<int>(sub))) {
    return Stall::not_selected;
  }
  // One queue here, two on the chip: what fills it says which of them is full (Nsight Compute, "Warp Stall Reasons").
  const bool global = target == kGlobalQueue && lsu_.mostly_global(static_cast<int>(sub));
  return global ? Stall::lg_throttle : Stall::mio_throttle;
}

Stall Sm::why_not(size_t sub, const WarpState& w, Cycle now, Cycle& next) const {
  const Stall own = own_wait(w, now, next);
  return own != Stall::not_selected ? own : target_wait(sub, target_[static_cast<size_t>(w.next->lat)], now, next);
}

void Sm::look_again(size_t index, Cycle now) {
  SubPartition& sub = subs_[index];
  for (uint32_t rest = sub.waits.unknown(sub.resident); rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const WarpState& w = warp(slot_of(index, i));
    Cycle until = kNever;
    if (const Stall reason = own_wait(w, now, until); reason != Stall::not_selected) {
      sub.waits.waits(i, reason, until);
    } else {
      sub.waits.is_ready(i, target_[static_cast<size_t>(w.next->lat)]);
    }
  }
}

void Sm::schedule(size_t index, Cycle now) {
  SubPartition& sub = subs_[index];
  account(sub, now);
  sub.occupied = sub.resident != 0;
  sub.waits.expire(now);
  look_again(index, now);
  sub.reasons = sub.waits.waiting();
  Cycle next = sub.waits.soonest();
  uint32_t eligible = 0;
  for (IssueTarget target = 0; target < kIssueTargets && sub.waits.any_ready() != eligible; ++target) {
    if (const uint32_t warps = sub.waits.ready_for(target); warps != 0) {
      const Stall reason = target_wait(index, target, now, next);
      sub.reasons[static_cast<size_t>(reason)] += static_cast<uint8_t>(std::popcount(warps));
      eligible |= reason == Stall::not_selected ? warps : 0;
    }
  }
  if (eligible == 0) {
    sub.wake = next;
    return;
  }
  const int picked = pick_(Candidates{eligible, sub.last, sub.age.data()});
  --sub.reasons[static_cast<size_t>(Stall::not_selected)];
  ++sub.reasons[static_cast<size_t>(Stall::selected)];
  sub.last = picked;
  const ir::Inst& next_inst = *warp(slot_of(index, picked)).next;
  const uint64_t machine_ops = uint64_t{next_inst.machine_ops} + next_inst.helpers;
  counters_.issue_active += machine_ops;
  sub.wake = now + machine_ops;  // one a cycle
  issue_picked(index, slot_of(index, picked), 0, now);
}

void Sm::tell(const WarpState& w, bool free, Cycle now) const {
  const auto since_start = [&](Cycle when) { return when > *launch_start_ ? when - *launch_start_ : 0; };
  std::vector<const ir::Inst*> in_flight;
  for (const LoadInFlight& load : w.loads) {
    in_flight.push_back(load.inst);
  }
  watch_->issued({.block = blocks_[static_cast<size_t>(w.block)].block->id(),
                  .warp = w.warp->index(),
                  .inst = w.next,
                  .at = since_start(now),
                  .free = free,
                  .held_until = since_start(w.hold_until),
                  .held_for = w.hold_reason,
                  .operands_at = since_start(ready_cycle(w.needs)),
                  .operands_for = stall_of(wait_kind(w.needs)),
                  .in_flight = in_flight});
}

// As many instructions of the picked warp as a scheduler may issue in a cycle, from the nth on.
void Sm::issue_picked(size_t sub, int slot, uint32_t nth, Cycle now) {
  const WarpState& w = warp(slot);
  const uint64_t age = w.age;
  for (Cycle unused; nth < spec_.topology.issue_per_scheduler; ++nth) {
    const bool goes_on = w.phase == WarpState::Phase::running && w.age == age;
    if (nth > 0 && (!goes_on || why_not(sub, w, now, unused) != Stall::not_selected)) {
      return;
    }
    if (in_tick_ && takes_turn(*w.next)) {
      held_ = {static_cast<int>(sub), slot, nth};
      return;
    }
    issue(sub, slot, now);
  }
}

}  // namespace hpml::sim::timing
