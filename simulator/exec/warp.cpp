// The instruction loop of a warp.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/lanes.hpp"
#include "simulator/isa/image_form.hpp"

namespace hpml::sim::exec {

void WarpImpl::start(GridImpl& grid, BlockImpl& block, int index, LaneMask lanes) {
  grid_ = &grid;
  block_ = &block;
  tally_ = block.tally_;
  index_ = index;
  live_ = lanes;
  cluster_arrived_ = 0;
  cycles_ = 0;
  consts_ = grid.consts_.data();
  start_lanes(lanes);
}

const ir::Inst& WarpImpl::next() const {
  const Group& g = groups_[static_cast<size_t>(current_)];
  return g.frame->function->code[g.pc];
}

LaneMask WarpImpl::next_mask() const { return groups_[static_cast<size_t>(current_)].mask; }

// One instruction of the current group. False when the warp cannot go on with this group as it is: it waits, has
// finished, was split or trapped; the caller looks again at current_.
template <bool kEffects>
bool WarpImpl::execute(Effects* effects) {
  Group& g = groups_[static_cast<size_t>(current_)];
  Frame& frame = *g.frame;
  const ir::Inst& inst = frame.function->code[g.pc];
  LaneMask active = g.mask;
  if (inst.guard != isa::kNoSlot) {
    LaneMask p;
    std::memcpy(&p, frame.regs + inst.guard, sizeof p);
    active &= inst.guard_negated ? ~p : p;
  }
  PcProfile* const profile = &tally_->profile[static_cast<size_t>(frame.function_index)][g.pc];
  const unsigned lanes = lane_count(g.mask);
  profile[0].enter(lanes);
  profile[1].leave(lanes);
  profile[0].threads_off += lanes - (active == 0 ? 0 : lane_count(active));
  if (const uint32_t* latency = grid_->latency()) {
    cycles_ += latency[static_cast<size_t>(inst.lat)];
  }
  if constexpr (kEffects) {
    effects->inst = &inst;
    effects->function = frame.function;
    effects->active = active;
    effects->group = g.mask;
    effects->lat = inst.lat;
    effects->outcome = Outcome::executed;
    effects->branch_taken = effects->diverged = effects->has_access = false;
    effects->copy = CopyStep::none;
    effects->fault_count = effects->range_count = 0;
    effects->sleep_ns = 0;
    effects->barrier_id = -1;
  }
  if (inst.shape == isa::Shape::lane) {
    if (inst.refresh_special) {
      refresh_clocks(frame);
    }
    if (active != 0) {
      inst.run(frame.regs, consts_, active, inst);
    }
    ++g.pc;
    return !frame.function->code[g.pc].is_join || !arrive_if_joined();
  }
  if (inst.control == isa::Control::bra) {
    if (active == g.mask || active == 0) {  // all lanes together
      const bool taken = active != 0;
      if (taken && inst.target <= g.pc && ++g.patience.spins >= g.patience.look) {
        const Pc branch = std::exchange(g.pc, inst.target);
        if constexpr (kEffects) {
          effects->branch_taken = true;
        }
        arrive_if_joined();
        if (current_ >= 0 &&
            groups_[static_cast<size_t>(current_)].pc == inst.target) {  // all of them, if they meet here
          look_at_loop(branch);
        }
        return false;
      }
      g.pc = taken ? inst.target : g.pc + 1;
      if constexpr (kEffects) {
        effects->branch_taken = taken;
      }
      return !frame.function->code[g.pc].is_join || !arrive_if_joined();
    }
    take_branch(inst, active);
    if constexpr (kEffects) {
      effects->branch_taken = effects->diverged = true;
    }
    return false;
  }
  if (inst.unsupported) {
    if (active != 0) {
      special_inst(inst, active, effects);
      return false;
    }
    ++g.pc;
    return !frame.function->code[g.pc].is_join || !arrive_if_joined();
  }
  if (inst.shape == isa::Shape::mem) {
    if (active != 0) {
      memory(inst, active, effects);
      if (trapped()) {
        return false;
      }
    }
    ++g.pc;
    return !frame.function->code[g.pc].is_join || !arrive_if_joined();
  }
  special_inst(inst, active, effects);
  return false;
}

void WarpImpl::memory(const ir::Inst& inst, LaneMask active, Effects* effects) {
  switch (inst.mem) {
    case isa::Mem::copy_async: spin_.memory_changed(); return copy_async(inst, active, effects);
    case isa::Mem::copy_bulk: spin_.memory_changed(); return copy_bulk(inst, active, effects);
    default: return access(inst, active, effects);
  }
}

// Warp-wide instructions, calls, barriers, exits: they may change the groups.
void WarpImpl::special_inst(const ir::Inst& inst, LaneMask active, Effects* effects) {
  Group& g = groups_[static_cast<size_t>(current_)];
  if (inst.unsupported) {
    const auto& list = g.frame->function->unsupported;
    std::string why = "instruction";
    for (const auto& [pc, text] : list) {
      if (pc == g.pc) {
        why = text;
      }
    }
    return fail(TrapKind::illegal_instruction, "not supported: " + why, std::countr_zero(active));
  }
  if (active == 0) {
    ++g.pc;
    arrive_if_joined();
    return;
  }
  if (isa::is_image(inst.shape, inst.warp)) {
    spin_.memory_changed();
    image_op(inst, active, effects);
    if (!trapped()) {
      ++g.pc;
      arrive_if_joined();
    }
    return;
  }
  if (inst.shape == isa::Shape::warp) {
    return warp_op(inst, active, effects);
  }
  switch (inst.control) {
    case isa::Control::brx: return indirect_branch(inst, active);
    case isa::Control::call: return call(inst, active);
    case isa::Control::ret: return return_lanes(active);
    case isa::Control::exit: return exit_lanes(active);
    case isa::Control::cluster_arrive: return cluster_arrive(active);
    case isa::Control::cluster_wait: return cluster_wait(active);
    case isa::Control::bar_sync:
    case isa::Control::bar_arrive:
    case isa::Control::bar_red: return block_barrier(inst, active, effects);
    case isa::Control::bar_warp_sync: return warp_op(inst, active, effects);
    case isa::Control::mbarrier:
      mbarrier(inst, active, effects);
      ++g.pc;
      if (!arrive_if_joined() && yield_) {
        give_way();
      }
      return;
    case isa::Control::copy_group:
      copy_group(inst, effects);
      ++g.pc;
      arrive_if_joined();
      return;
    case isa::Control::alloca:
    case isa::Control::stack_save:
    case isa::Control::stack_restore:
      grow_stack(inst, active);
      ++g.pc;
      arrive_if_joined();
      return;
    case isa::Control::trap:
      return fail(TrapKind::trap_instruction, "the kernel executed a trap", std::countr_zero(active));
    case isa::Control::nanosleep:
      if (effects != nullptr) {
        effects->sleep_ns = value_u32(inst.src[0], std::countr_zero(active));
      } else if (grid_->latency() != nullptr) {
        cycles_ +=
            static_cast<uint64_t>(value_u32(inst.src[0], std::countr_zero(active)) / grid_->launch_.ns_per_cycle);
      }
      ++g.pc;
      if (!arrive_if_joined()) {
        nap();
      }
      return;
    case isa::Control::none:
    case isa::Control::bra:
    case isa::Control::brkpt:
    case isa::Control::nop:
      ++g.pc;
      arrive_if_joined();
      return;
  }
}

void WarpImpl::step(Effects& effects) {
  execute<true>(&effects);
  ++tally_->executed;
  let_stalled_go_on();
  if (trapped()) {
    effects.outcome = Outcome::trapped;
  } else if (live_ == 0) {
    effects.outcome = Outcome::finished;
  } else if (current_ < 0) {
    effects.outcome = Outcome::barrier;
  }
}

template bool WarpImpl::execute<false>(Effects* effects);  // for run.cpp and stepper.cpp
template bool WarpImpl::execute<true>(Effects* effects);

}  // namespace hpml::sim::exec
