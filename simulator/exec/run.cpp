// Running a warp without time: many instructions of one group at once.
#include <algorithm>
#include <cstring>
#include <utility>

#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

// The warp's own clock, where the launch has one (GridImpl::latency).
template <bool kClock>
void WarpImpl::tick(const ir::Inst& inst) {
  if constexpr (kClock) {
    cycles_ += grid_->latency()[static_cast<size_t>(inst.lat)];
  }
}

// Instructions that only compute (ir::Inst::plain), from `at` up to `end`.
template <bool kClock>
void WarpImpl::run_plain(const ir::Inst* at, const ir::Inst* end, std::byte* regs, LaneMask mask) {
  const std::byte* const consts = consts_;
  for (; at != end; ++at) {
    at->run(regs, consts, mask, *at);
    tick<kClock>(*at);
  }
}

// The straight road: lane ops, memory and branches all lanes take together, with the group's state in registers. Stops
// in front of anything else (`at_other`), behind a branch at which lanes part, or at the group's meeting point. What
// ran is counted by the stretch between two jumps.
template <bool kClock>
uint64_t WarpImpl::run_straight_on(uint64_t budget, AccessSink* sink, bool& at_other) {
  Group& g = groups_[static_cast<size_t>(current_)];
  const Frame& frame = *g.frame;
  std::byte* const regs = frame.regs;
  const std::byte* const consts = consts_;
  const ir::Inst* const code = frame.function->code.data();
  PcProfile* const profile = tally_->profile[static_cast<size_t>(frame.function_index)].data();
  MemorySite* const memory_sites = tally_->memory[static_cast<size_t>(frame.function_index)].data();
  const Split* const split = g.split >= 0 ? &splits_[static_cast<size_t>(g.split)] : nullptr;
  const Pc join = split != nullptr && split->frame == g.frame ? split->reconverge : ir::kNoPc;
  const LaneMask mask = g.mask;
  const unsigned lanes = lane_count(mask);
  const RowMemory row_memory{
      .regs = regs, .consts = consts, .shared = block_->shared_.data(), .shared_bytes = block_->shared_.size()};
  uint64_t done = 0;
  Pc pc = g.pc;
  profile[pc].enter(lanes);
  while (done < budget) {
    if (const uint64_t plain = std::min<uint64_t>({code[pc].plain, budget - done, join - pc}); plain != 0) {
      run_plain<kClock>(code + pc, code + pc + plain, regs, mask);
      done += plain;
      pc += static_cast<Pc>(plain);
      if (pc == join) {
        break;
      }
      continue;
    }
    const ir::Inst& inst = code[pc];
    LaneMask active = mask;
    if (inst.guard != isa::kNoSlot) {
      LaneMask p;
      std::memcpy(&p, regs + inst.guard, sizeof p);
      active &= inst.guard_negated ? ~p : p;
    }
    Pc next = pc + 1;
    if (inst.shape == isa::Shape::lane && !inst.refresh_special) {
      if (active != 0) {
        inst.run(regs, consts, active, inst);
      }
    } else if (inst.control == isa::Control::bra && active != 0 && active != mask) {
      profile[pc].threads_off += lanes - lane_count(active);
      profile[pc + 1].leave(lanes);
      tick<kClock>(inst);
      g.pc = pc;
      take_branch(inst, active);
      return done + 1;
    } else if (inst.control == isa::Control::bra &&
               (active == 0 || inst.target > pc || g.patience.spins + 1 < g.patience.look)) {
      if (active != 0) {
        g.patience.spins += inst.target <= pc;
        next = inst.target;
      }
    } else if (inst.shape == isa::Shape::mem) {
      const bool heard = sink != nullptr && inst.mods.space != isa::Space::shared;
      MemorySite& site = memory_sites[pc];
      const bool in_rows = site.row != nullptr && active == isa::kFullMask && !heard &&
                           (inst.mem == isa::Mem::ld || !spin_.watches()) && site.row(inst, site, row_memory);
      if (active != 0 && !in_rows && (heard || !fast_access(inst, active, site))) {
        g.pc = pc;
        heard ? heard_memory(inst, active, *sink) : memory(inst, active, nullptr);
        if (trapped()) {
          profile[pc].leave(lanes);
          return done + 1;
        }
      }
    } else {
      at_other = true;
      break;
    }
    if (active != mask) {
      profile[pc].threads_off += active == 0 ? lanes : lanes - lane_count(active);
    }
    tick<kClock>(inst);
    ++done;
    if (next != pc + 1) {
      profile[pc + 1].leave(lanes);
      profile[next].enter(lanes);
    }
    pc = next;
    if (pc == join) {
      break;
    }
  }
  profile[pc].leave(lanes);
  g.pc = pc;
  if (pc == join) {
    arrive_if_joined();
  }
  return done;
}

uint64_t WarpImpl::run_straight(uint64_t budget, AccessSink* sink, bool& at_other) {
  return grid_->latency() != nullptr ? run_straight_on<true>(budget, sink, at_other)
                                     : run_straight_on<false>(budget, sink, at_other);
}

void WarpImpl::heard_memory(const ir::Inst& inst, LaneMask active, AccessSink& sink) {
  Effects& effects = tally_->heard;
  effects.inst = &inst;
  effects.lat = inst.lat;
  effects.has_access = false;
  effects.fault_count = effects.range_count = 0;
  memory(inst, active, &effects);
  if (effects.has_access || effects.range_count > 0) {
    sink.accessed(effects);
  }
}

uint64_t WarpImpl::run(uint64_t budget, AccessSink* sink) {
  uint64_t done = 0;
  idle_ = false;
  while (done < budget && current_ >= 0 && !idle_ && !trapped()) {
    bool at_other = false;
    const uint64_t straight = run_straight(budget - done, sink, at_other);
    done += straight;
    tally_->executed += straight;  // clocks show it
    if (at_other && done < budget) {
      execute<false>(nullptr);
      ++done;
      ++tally_->executed;
      if (std::exchange(yield_, false)) {
        wait_for_others();
        break;
      }
    }
    if (current_ < 0) {
      let_stalled_go_on();
    }
  }
  if (current_ >= 0 && groups_.size() > 1 && !trapped()) {
    give_way();
  }
  grid_->check_limits();
  return done;
}

}  // namespace hpml::sim::exec
