#include "simulator/timing/core/sm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "simulator/timing/core/combined.hpp"

namespace hpml::sim::timing {

using isa::Lat;

namespace {

// Which stall reason waiting for a result of this class counts as (simulator_timing section 11).
Wait wait_of(Lat lat, Pipe pipe) {
  if (lat == Lat::ld_global || lat == Lat::ld_local || lat == Lat::atom_global) {
    return Wait::long_;
  }
  return pipe == Pipe::xu || pipe == Pipe::lsu ? Wait::short_ : Wait::fixed;
}

bool is_subroutine(Lat lat) {
  return lat == Lat::int_div || lat == Lat::fp32_div || lat == Lat::fp32_sqrt || lat == Lat::fp64_div ||
         lat == Lat::libm32 || lat == Lat::libm64;
}

IssueTarget target_of(Lat lat, Pipe pipe) {
  const bool global = lat == Lat::ld_global || lat == Lat::st_global || lat == Lat::ld_local || lat == Lat::st_local ||
                      lat == Lat::atom_global;
  return lat == Lat::membar  ? kNoTarget
         : pipe != Pipe::lsu ? static_cast<IssueTarget>(pipe)
         : global            ? kGlobalQueue
                             : kSharedQueue;
}

}  // namespace

Sm::Sm(const GpuSpec& spec, int index, SmPort& port, PickWarp pick)
    : spec_(spec),
      index_(index),
      pick_(pick),
      lsu_(spec, index, port, *this),
      subs_(spec.topology.sub_partitions),
      warps_(spec.limits.max_warps_per_sm) {
  const uint64_t operand = spec.of(Lat::int_alu).latency;
  guard_extra_ = spec.core.guard_cycles > operand ? spec.core.guard_cycles - operand : 0;
  for (size_t i = 0; i < interval_.size(); ++i) {
    interval_[i] = to_fine(spec.latency[i].interval);
    wait_[i] = wait_of(static_cast<Lat>(i), spec.latency[i].pipe);
    target_[i] = target_of(static_cast<Lat>(i), spec.latency[i].pipe);
  }
}

void Sm::start_kernel(uint64_t l1_bytes, uint32_t registers, bool clusters, Cycle now) {
  least_turns_ = clusters ? ir::Turns::in_clusters : ir::Turns::always;
  lsu_.start_kernel(l1_bytes);
  blocks_.clear();
  for (WarpState& w : warps_) {
    w.phase = WarpState::Phase::empty;
    w.issued = 0;
    w.registers.assign(registers, 0);
  }
  for (SubPartition& sub : subs_) {
    sub = SubPartition{};
    sub.wake = kNever;
    sub.evaluated = now;
  }
  fp64_free_ = barrier_free_ = 0;
  active_since_ = now;
  next_age_ = 1;
  resident_warps_ = 0;
  steps_ = 0;
  paused_ = trapped_ = false;
  held_ = {};
  unfetched_.clear();
  finished_.clear();
  barrier_copies_.clear();
  counters_ = ModelCounters{};
}

void Sm::place(exec::Block& block, int handle, Cycle since, Cycle now) {
  size_t at = 0;
  while (at < blocks_.size() && blocks_[at].block != nullptr) {
    ++at;
  }
  if (at == blocks_.size()) {
    blocks_.emplace_back();
  }
  blocks_[at] = Resident{&block, handle, block.warp_count(), next_age_, Cycle{0}, Cycle{0}, {}};
  active_since_ = resident_warps_ == 0 ? later(since, active_since_) : active_since_;
  int slot = 0;
  for (int i = 0; i < block.warp_count(); ++i, ++slot) {
    while (warp(slot).phase != WarpState::Phase::empty) {
      ++slot;
    }
    const size_t sub = static_cast<size_t>(slot) % subs_.size();
    account_start(subs_[sub], since, now);
    WarpState& w = warp(slot);
    w.phase = WarpState::Phase::running;
    w.warp = &block.warp(i);
    w.hold_until = since + spec_.core.block_start_cycles;
    w.hold_reason = Stall::no_instruction;
    w.age = next_age_++;
    w.issued = 0;
    w.loads.clear();
    w.copies.clear();
    w.open_group = 0;
    w.mbarrier = nullptr;
    w.gate = 0;
    w.block = static_cast<int>(at);
    std::fill(w.registers.begin(), w.registers.end(), 0);
    blocks_[at].slots.push_back(slot);
    const int in_sub = slot / static_cast<int>(subs_.size());
    subs_[sub].resident |= uint32_t{1} << in_sub;
    subs_[sub].age[static_cast<size_t>(in_sub)] = w.age;
    subs_[sub].wake = earlier(subs_[sub].wake, now);
    ++resident_warps_;
  }
  const std::vector<int> slots = blocks_[at].slots;  // fetching may already retire a warp
  for (const int s : slots) {
    fetch(s, now);
  }
}

void Sm::tick(Cycle now) {
  in_tick_ = true;
  lsu_.tick(now, counters_);
  schedule_from(0, now);
  in_tick_ = false;
}

void Sm::finish_tick(Cycle now) {
  for (const int slot : std::exchange(unfetched_, {})) {
    fetch(slot, now);
  }
  if (const Held held = std::exchange(held_, {}); held.sub >= 0) {
    issue_picked(static_cast<size_t>(held.sub), held.slot, held.nth, now);
    schedule_from(static_cast<size_t>(held.sub) + 1, now);
  }
}

Cycle Sm::next_event() const {
  Cycle next = lsu_.next_event();
  for (const SubPartition& sub : subs_) {
    next = paused_ ? next : earlier(next, sub.wake);
  }
  return next;
}

void Sm::settle(Cycle now) {
  for (SubPartition& sub : subs_) {
    account(sub, now);
    sub.warp_cycles.flush(counters_.stall_cycles);
  }
  if (resident_warps_ > 0) {
    counters_.sm_cycles_active += now - active_since_;
    active_since_ = now;
  }
}

void Sm::issue(size_t sub, int slot, Cycle now) {
  WarpState& w = warp(slot);
  const ir::Inst& inst = *w.next;
  if (watch_ != nullptr) {
    tell(w, false, now);
  }
  forget(slot);
  w.warp->step(effects_);
  ++steps_;
  ++w.issued;
  counters_.issued += inst.machine_ops + inst.helpers;
  occupy(sub, inst, now);
  set_results(sub, slot, inst, now);
  set_control(w, inst, now);
  const bool at_barrier = effects_.lat == Lat::barrier;
  if (end_of_step(slot, now) && !at_barrier) {
    fetch(slot, now);
  }
}

void Sm::occupy(size_t sub, const ir::Inst& inst, Cycle now) {
  const size_t lat = static_cast<size_t>(effects_.lat);
  const Pipe pipe = spec_.latency[lat].pipe;
  counters_.pipe_issued[static_cast<size_t>(pipe)] += inst.machine_ops;
  if (pipe == Pipe::barrier) {
    return;  // one unit per SM: sm_barriers.cpp
  }
  if (inst.helpers != 0) {
    // ptxas spreads them over both pipes: moves and sums are IMADs where the ALU would be the limit.
    for (const auto& [target, count] : {std::pair{Pipe::alu, (inst.helpers + 1) / 2}, {Pipe::fma, inst.helpers / 2}}) {
      counters_.pipe_issued[static_cast<size_t>(target)] += static_cast<uint64_t>(count);
      uint64_t& busy = pipe_free(sub, target);
      busy = std::max(busy, fine(now)) + interval_[static_cast<size_t>(Lat::int_alu)] * static_cast<uint64_t>(count);
    }
  }
  uint64_t& free = pipe_free(sub, pipe);
  const bool product = effects_.lat == Lat::tensor;
  free = std::max(free, fine(now)) +
         (product ? to_fine(spec_.tensor_cycles(*inst.variant->matrix)) : interval_[lat] * inst.machine_ops);
}

void Sm::set_results(size_t sub, int slot, const ir::Inst& inst, Cycle now) {
  WarpState& w = warp(slot);
  const size_t lat = static_cast<size_t>(effects_.lat);
  const uint64_t further =
      (inst.machine_ops - 1u) * interval_[lat] / kFine + uint64_t{inst.helper_chain} * spec_.of(Lat::int_alu).latency;
  uint32_t load = Lsu::kNoLoad;
  RegReady ready = reg_ready(now + std::max(1u, spec_.latency[lat].latency) + further, wait_[lat]);
  if (effects_.active == 0) {
    ready = reg_ready(now + 1, Wait::fixed);  // predicated off: nothing is computed
  } else if (effects_.lat == Lat::tensor) {
    // Larger products than the class's own take so much longer.
    const double passes = spec_.tensor_cycles(*inst.variant->matrix) - spec_.of(Lat::tensor).interval;
    ready = reg_ready(now + spec_.of(Lat::tensor).latency + static_cast<uint64_t>(std::max(passes, 0.0)), wait_[lat]);
  } else if (effects_.has_access || effects_.lat == Lat::shuffle) {
    load = lsu_.send(static_cast<int>(sub), slot, w.age, effects_, now);
    ready = load == Lsu::kNoLoad ? reg_ready(now + 1, Wait::fixed) : reg_pending(load, wait_[lat]);
  }
  if (effects_.range_count > 0) {
    load = lsu_.copy(slot, w.age, effects_, now);
  }
  track_copies(w, load, now);
  write(w, inst, ready);
  if (is_subroutine(effects_.lat) && effects_.active != 0) {
    // The instructions that one PTX instruction stands for issue in order: the next one follows the last of them.
    w.hold_until = later(w.hold_until, ready_cycle(ready));
    w.hold_reason = Stall::wait;
  }
  if (effects_.has_access && combines(effects_)) {
    combine(w, inst, ready, now);
  }
}

// An atomic of the whole warp: its values meet by shuffles before it, and what it returns is handed out by a shuffle
// right behind it, where the warp waits.
void Sm::combine(WarpState& w, const ir::Inst& inst, RegReady ready, Cycle now) {
  if (const uint64_t before = cycles_to_combine(spec_, inst.combine); before != 0) {
    w.hold_until = now + before;
    w.hold_reason = Stall::short_scoreboard;
  }
  w.gate = is_pending(ready) ? ready : w.gate;
}

// The registers that the instruction writes can be read from then on.
void Sm::write(WarpState& w, const ir::Inst& inst, RegReady ready) {
  ir::each_register_written(inst, [&](ir::RegId reg) {
    if (reg < w.registers.size()) {
      w.registers[reg] = ready;
    }
  });
  if (is_pending(ready)) {
    w.loads.push_back({load_of(ready), &inst});
  }
}

void Sm::set_control(WarpState& w, const ir::Inst& inst, Cycle now) {
  if (effects_.lat == Lat::branch) {
    w.hold_until = now + spec_.core.branch_cycles;
    w.hold_reason = Stall::branch_resolving;
  } else if (effects_.lat == Lat::membar && inst.mods.scope != isa::Scope::cta) {
    w.hold_until = now + spec_.of(Lat::membar).latency;
    w.hold_reason = Stall::membar;
  } else if (effects_.sleep_ns > 0) {
    w.hold_until = now + static_cast<uint64_t>(effects_.sleep_ns * spec_.clocks.core_mhz / 1000.0);
    w.hold_reason = Stall::sleeping;
  }
  if (inst.control == isa::Control::call || inst.control == isa::Control::ret) {
    // Another function, another register numbering: results in flight are not tracked across the boundary.
    std::fill(w.registers.begin(), w.registers.end(), 0);
  }
}

namespace {

bool leaves(const ir::Inst& inst) { return inst.control == isa::Control::ret || inst.control == isa::Control::exit; }

}  // namespace

// What the step did to the warp and its block. True when the warp goes on.
bool Sm::end_of_step(int slot, Cycle now) {
  WarpState& w = warp(slot);
  const exec::Outcome outcome = effects_.outcome;
  if (outcome == exec::Outcome::trapped) {
    trapped_ = true;
    return false;
  }
  const bool arrives = effects_.lat == Lat::barrier || outcome == exec::Outcome::barrier;
  if (arrives) {
    arrive_at_barrier(slot, now);
  }
  if (arrives || leaves(*effects_.inst)) {  // for those that wait, lanes that have left are lanes that have arrived
    release_barrier(w.block, now);
  }
  if (outcome == exec::Outcome::finished) {
    retire_warp(slot, now);
    return false;
  }
  return w.phase == WarpState::Phase::running;
}

void Sm::retire_warp(int slot, Cycle now) {
  WarpState& w = warp(slot);
  SubPartition& sub = subs_[static_cast<size_t>(slot) % subs_.size()];
  forget(slot);
  w.phase = WarpState::Phase::empty;
  w.age = 0;
  sub.resident &= ~(uint32_t{1} << (slot / static_cast<int>(subs_.size())));
  if (--resident_warps_ == 0) {
    counters_.sm_cycles_active += now + 1 - active_since_;
    active_since_ = now + 1;
  }
  Resident& block = blocks_[static_cast<size_t>(w.block)];
  if (--block.warps == 0) {
    const int handle = block.handle;
    block.block = nullptr;
    for (WarpState& ended : warps_) {
      ended.issued = ended.block == w.block ? 0 : ended.issued;  // not the next block's that gets this place
    }
    finished_.push_back({handle, now});
  }
}

RegReady Sm::needs_of(const WarpState& w, const ir::Inst& inst) const {
  RegReady needs = w.gate;
  const auto wait_for = [&](ir::RegId reg) {
    needs = reg < w.registers.size() ? std::max(needs, w.registers[reg]) : needs;
  };
  ir::each_register_read(inst, wait_for);
  ir::each_register_written(inst, wait_for);
  return std::max(needs, guard_ready(w, inst));
}

// A predicate takes longer to where instructions are guarded than to an operand (stall counts of ptxas).
RegReady Sm::guard_ready(const WarpState& w, const ir::Inst& inst) const {
  if (inst.guard_reg >= w.registers.size()) {
    return 0;
  }
  const RegReady ready = w.registers[inst.guard_reg];
  return is_pending(ready) || ready == 0 ? ready : ready + (guard_extra_ << 2);
}

// Runs instructions that are no machine instructions (parameter reads, copies, what is folded into its user) on the
// spot: the result is ready when its sources are. Then looks up what the next real one waits for.
void Sm::fetch(int slot, Cycle now) {
  WarpState& w = warp(slot);
  forget(slot);
  while (w.phase == WarpState::Phase::running && w.warp->ready()) {
    const ir::Inst& inst = w.warp->next();
    w.next = &inst;
    w.needs = needs_of(w, inst);
    if (inst.lat != Lat::none && inst.machine_ops != 0) {
      return;
    }
    if (in_tick_ && takes_turn(inst)) {
      unfetched_.push_back(slot);
      return;
    }
    if (inst.control == isa::Control::bra) {
      w.gate = std::max(w.gate, guard_ready(w, inst));  // what it skips is predicated instead
    }
    RegReady source = 0;
    for (const ir::RegId reg : inst.reads) {
      source = reg < w.registers.size() ? std::max(source, w.registers[reg]) : source;
    }
    if (watch_ != nullptr) {
      tell(w, true, now);
    }
    w.warp->step(effects_);
    ++steps_;
    write(w, inst, source);
    if (!end_of_step(slot, now)) {
      return;
    }
  }
}

// What the warp waits for has changed.
void Sm::forget(int slot) {
  const int subs = static_cast<int>(subs_.size());
  subs_[static_cast<size_t>(slot % subs)].waits.forget(slot / subs);
}

void Sm::wake(int slot, Cycle when) {
  SubPartition& sub = subs_[static_cast<size_t>(slot) % subs_.size()];
  forget(slot);
  sub.wake = earlier(sub.wake, when);
}

void Sm::load_done(int slot, uint64_t age, uint32_t load, Cycle when) {
  barrier_copy_done(load, when);
  WarpState& w = warp(slot);
  if (w.age != age) {
    return;  // the warp ended without using it
  }
  std::erase_if(w.loads, [&](const LoadInFlight& known) {
    if (known.load != load) {
      return false;
    }
    ir::each_register_written(*known.inst, [&](ir::RegId reg) {
      if (reg < w.registers.size() && same_load(w.registers[reg], load)) {
        w.registers[reg] = reg_ready(when, wait_kind(w.registers[reg]));
      }
    });
    return true;
  });
  w.gate = same_load(w.gate, load) ? reg_ready(when, wait_kind(w.gate)) : w.gate;
  for (CopyInFlight& copy : w.copies) {
    if (copy.load == load && copy.ready == kNever) {
      copy.ready = when;
      wake(slot, when);
    }
  }
  if (is_pending(w.needs) && w.phase == WarpState::Phase::running) {
    w.needs = needs_of(w, *w.next);
    wake(slot, when);
  }
}

void Sm::queue_has_room(int sub) { subs_[static_cast<size_t>(sub)].wake = Cycle{0}; }

void Sm::describe(std::string& out) const {
  if (resident_warps_ == 0 && lsu_.idle()) {
    return;
  }
  out += fmt::format("sm {}: {} warps\n", index_, resident_warps_);
  for (size_t slot = 0; slot < warps_.size(); ++slot) {
    const WarpState& w = warps_[slot];
    if (w.phase != WarpState::Phase::empty) {
      Cycle next;
      const Stall reason = why_not(slot % subs_.size(), w, subs_[slot % subs_.size()].evaluated, next);
      out += fmt::format("  warp slot {}: block {}, warp {}, {}\n", slot,
                         blocks_[static_cast<size_t>(w.block)].block->id(), w.warp->index(), name(reason));
    }
  }
  lsu_.describe(out);
}

}  // namespace hpml::sim::timing
