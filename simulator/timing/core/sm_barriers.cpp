// The barrier unit of an SM: one for all its warps, each arrival takes its turn.
#include <algorithm>
#include <bit>

#include "simulator/timing/core/sm.hpp"

namespace hpml::sim::timing {

using isa::Lat;

void Sm::arrive_at_barrier(int slot, Cycle now) {
  WarpState& w = warp(slot);
  if (w.next->control == isa::Control::bar_warp_sync) {
    w.hold_until = now + spec_.of(Lat::vote).latency;  // within the warp: no barrier unit
    w.hold_reason = Stall::barrier;
    if (w.warp->ready()) {
      fetch(slot, now);
    } else {
      w.phase = WarpState::Phase::barrier;  // until another warp lets lanes of this one go on, if any can
    }
    return;
  }
  Resident& block = blocks_[static_cast<size_t>(w.block)];
  barrier_free_ = std::max(barrier_free_, fine(now)) + interval_[static_cast<size_t>(Lat::barrier)];
  block.barrier_done = whole(barrier_free_ + kFine - 1);
  if (w.next->control == isa::Control::cluster_arrive) {  // nobody waits here
    pass_barrier(slot, now, now);
    return;
  }
  w.phase = WarpState::Phase::barrier;
  if (!w.warp->at_barrier()) {
    pass_barrier(slot, later(block.cluster_open, block.barrier_done + spec_.of(Lat::barrier).latency), now);
  }
}

void Sm::cluster_passed(int handle, uint64_t warps, Cycle now) {
  for (Resident& block : blocks_) {
    if (block.block == nullptr || block.handle != handle) {
      continue;
    }
    block.cluster_open = now + spec_.cluster.barrier_cycles;
    for (uint64_t rest = warps; rest != 0; rest &= rest - 1) {
      const int slot = block.slots[static_cast<size_t>(std::countr_zero(rest))];
      if (warp(slot).phase == WarpState::Phase::barrier) {
        pass_barrier(slot, block.cluster_open, now);
      }
    }
  }
}

void Sm::release_barrier(int block_slot, Cycle now) {
  Resident& block = blocks_[static_cast<size_t>(block_slot)];
  const Cycle when = later(block.barrier_done, now) + spec_.of(Lat::barrier).latency;
  for (uint64_t rest = block.block->take_released(); rest != 0; rest &= rest - 1) {
    const int slot = block.slots[static_cast<size_t>(std::countr_zero(rest))];
    if (warp(slot).phase == WarpState::Phase::barrier) {
      pass_barrier(slot, when, now);
    }
  }
}

void Sm::pass_barrier(int slot, Cycle when, Cycle now) {
  WarpState& w = warp(slot);
  w.phase = WarpState::Phase::running;
  w.hold_until = when;
  w.hold_reason = Stall::barrier;
  wake(slot, when);
  fetch(slot, now);
}

}  // namespace hpml::sim::timing
