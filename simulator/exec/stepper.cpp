// The order of run_rest() as a state that can stand still in front of any instruction.
#include "simulator/exec/stepper.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/run_order.hpp"

namespace hpml::sim::exec {

class StepperImpl final : public Stepper {
 public:
  StepperImpl(GridImpl& grid, ir::Module& code) : grid_(grid), code_(code) {}

  uint64_t position() const override { return grid_.executed(); }
  std::optional<NextInst> next() override;
  WarpRef last() const override { return turn_; }
  int trap_lane() const override { return grid_.trap() ? grid_.trap()->lane : -1; }
  std::optional<std::string> trap() const override {
    return grid_.trap() ? std::optional(grid_.trap()->message) : std::nullopt;
  }
  const Counters& counters() const override { return grid_.counters(); }
  void set_stops(std::vector<CodePlace> stops) override;
  Stop run(const Until& until) override;
  void step(Effects& effects) override;
  void observe(Observer* observer) override;

  std::vector<BlockView> blocks() override;
  LaneMask live_lanes(WarpRef warp) override { return impl(warp).live_; }
  std::vector<LaneGroup> groups(WarpRef warp) override;
  std::span<std::byte> local_memory(WarpRef warp, int lane) override;
  std::span<const std::byte> parameters() const override { return grid_.launch_.params; }

 private:
  WarpImpl& impl(WarpRef ref) { return grid_.blocks_[static_cast<size_t>(ref.block)]->warp_impl(ref.warp); }
  WarpImpl& running() { return impl(turn_); }
  bool can_go() {
    return left_ > 0 && !turn_over_ && running().current_ >= 0 && !running().idle_ && !running().trapped();
  }
  bool settle();
  bool next_turn();
  void begin_turn(WarpRef warp);
  void end_turn();
  bool end_pass();
  void count(uint64_t done);
  void after_instruction();
  bool run_straight(uint64_t budget);
  bool stands_at_stop();
  void exchange_stops();
  Activation activation(const Frame& frame, Pc pc) const;

  GridImpl& grid_;
  ir::Module& code_;
  struct Replaced {
    CodePlace place;
    ir::Inst other;  // what is not in the code now
  };
  std::vector<Replaced> stops_;  // by place
  // run_rest()'s state.
  std::vector<int> resident_;
  bool started_ = false, finished_ = false, in_turn_ = false, turn_over_ = false;
  bool ran_ = false, moved_ = false;
  size_t at_ = 0;  // in resident_, of the next turn
  int next_warp_ = 0;
  WarpRef turn_;
  uint64_t left_ = 0, done_ = 0;  // of the turn
  int fruitless_ = 0, idle_passes_ = 0;
};

std::unique_ptr<Stepper> Stepper::create(Grid& grid, ir::Module& code) {
  return std::make_unique<StepperImpl>(static_cast<GridImpl&>(grid), code);
}

// --- the order -----------------------------------------------------------------------------------------------------

// Goes on to the next warp that has an instruction to execute. False: there is none any more.
bool StepperImpl::settle() {
  while (!finished_ && !grid_.trapped()) {
    if (in_turn_ && can_go()) {
      return true;
    }
    if (in_turn_) {
      end_turn();
    } else if (!next_turn() && !end_pass()) {
      finished_ = true;
    }
  }
  return false;
}

bool StepperImpl::next_turn() {
  for (; at_ < resident_.size(); ++at_, next_warp_ = 0) {
    BlockImpl& block = *grid_.blocks_[static_cast<size_t>(resident_[at_])];
    while (next_warp_ < block.warp_count()) {
      const int warp = next_warp_++;
      if (block.warp_impl(warp).ready()) {
        begin_turn({resident_[at_], warp});
        return true;
      }
    }
  }
  return false;
}

void StepperImpl::begin_turn(WarpRef warp) {
  turn_ = warp;
  in_turn_ = true;
  turn_over_ = false;
  left_ = kSlice;
  done_ = 0;
  running().idle_ = false;
}

void StepperImpl::end_turn() {
  WarpImpl& warp = running();
  if (warp.current_ >= 0 && warp.groups_.size() > 1 && !warp.trapped()) {
    warp.give_way();
  }
  grid_.check_limits();
  ran_ |= done_ > 0;
  moved_ |= done_ > 0 && !warp.idle_;
  in_turn_ = false;
}

// What run_rest() does from the end of one pass to the start of the next. False: the grid has finished.
bool StepperImpl::end_pass() {
  if (started_) {
    grid_.cluster_passed_.clear();
    const auto done = std::remove_if(resident_.begin(), resident_.end(), [&](int handle) {
      if (!grid_.blocks_[static_cast<size_t>(handle)]->finished()) {
        return false;
      }
      grid_.retire(handle);
      return true;
    });
    fruitless_ = done == resident_.end() ? fruitless_ + 1 : 0;
    resident_.erase(done, resident_.end());
    const bool all_started = grid_.started_ == grid_.block_count();
    if (!ran_ && !resident_.empty() && all_started && !grid_.trapped()) {
      grid_.report_deadlock();
      grid_.set_trap({TrapKind::deadlock, "deadlock: no warp can go on: " + grid_.describe_waiting()});
    }
    fruitless_ = moved_ ? fruitless_ : kFruitlessPasses;
    idle_passes_ = ran_ && !moved_ && all_started ? idle_passes_ + 1 : 0;
    if (idle_passes_ >= kIdlePasses) {
      grid_.set_trap({TrapKind::deadlock, "deadlock: every warp waits in a loop for memory that nobody writes: " +
                                              grid_.describe_waiting()});
    }
    if (grid_.trapped()) {
      return false;
    }
  }
  started_ = true;
  ran_ = moved_ = false;
  at_ = 0;
  next_warp_ = 0;
  if (resident_.empty() || grid_.launch_.cooperative || fruitless_ >= kFruitlessPasses) {
    grid_.admit(resident_);
  }
  return !resident_.empty();
}

// --- running -------------------------------------------------------------------------------------------------------

void StepperImpl::count(uint64_t done) {
  running().tally_->executed += done;
  left_ -= done;
  done_ += done;
}

void StepperImpl::after_instruction() {
  WarpImpl& warp = running();
  if (std::exchange(warp.yield_, false)) {
    warp.wait_for_others();
    turn_over_ = true;
    return;
  }
  warp.let_stalled_go_on();
}

// Whether it ended in front of an instruction that takes another way: execute() carries it out.
bool StepperImpl::run_straight(uint64_t budget) {
  bool at_other = false;
  exchange_stops();
  const uint64_t done = running().run_straight(budget, nullptr, at_other);
  exchange_stops();
  count(done);
  return at_other;
}

// Puts breaks in the place of the instructions at which to stop, or takes them out again. They are in the code only
// while run_straight() runs, which does not pass them: whatever else looks at code must see the program's.
void StepperImpl::exchange_stops() {
  for (Replaced& stop : stops_) {
    std::swap(code_.functions[static_cast<size_t>(stop.place.function)].code[stop.place.pc], stop.other);
  }
}

bool StepperImpl::stands_at_stop() {
  const WarpImpl& warp = running();
  const Group& group = warp.groups_[static_cast<size_t>(warp.current_)];
  const CodePlace here{group.frame->function_index, group.pc};
  const auto found = std::lower_bound(stops_.begin(), stops_.end(), here,
                                      [](const Replaced& stop, CodePlace place) { return stop.place < place; });
  return found != stops_.end() && found->place == here;
}

Stepper::Stop StepperImpl::run(const Until& until) {
  const uint64_t start = position();
  while (settle()) {
    if (position() >= until.position) {
      return Stop::position;
    }
    const bool each = until.each && *until.each == turn_;
    const bool at_stop = stands_at_stop();
    const bool counts = until.check_first || position() != start;
    if (counts && (each || at_stop)) {
      return each ? Stop::each : Stop::at_stop;
    }
    if (!each && !at_stop) {
      const bool at_other = run_straight(std::min(left_, until.position - position()));
      if (!can_go() || (!at_other && position() < until.position)) {
        running().let_stalled_go_on();
        continue;
      }
      if (position() >= until.position || stands_at_stop()) {
        continue;
      }
    }
    running().execute<false>(nullptr);
    count(1);
    after_instruction();
  }
  return Stop::end;
}

void StepperImpl::step(Effects& effects) {
  if (!settle()) {
    return;
  }
  running().execute<true>(&effects);
  count(1);
  effects.outcome = running().trapped() ? Outcome::trapped : effects.outcome;
  after_instruction();
}

std::optional<NextInst> StepperImpl::next() {
  if (!settle()) {
    return std::nullopt;
  }
  const WarpImpl& warp = running();
  const Group& group = warp.groups_[static_cast<size_t>(warp.current_)];
  NextInst out;
  out.warp = turn_;
  out.place = {group.frame->function_index, group.pc};
  out.function = group.frame->function;
  out.lanes = out.active = group.mask;
  const ir::Inst& inst = out.inst();
  if (inst.guard != isa::kNoSlot) {
    const LaneMask on = warp.predicate(inst.guard);
    out.active &= inst.guard_negated ? ~on : on;
  }
  for (const Frame* frame = group.frame->caller; frame != nullptr; frame = frame->caller) {
    ++out.depth;
  }
  return out;
}

void StepperImpl::set_stops(std::vector<CodePlace> stops) {
  std::sort(stops.begin(), stops.end());
  stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
  stops_.clear();
  for (const CodePlace place : stops) {
    std::vector<ir::Inst>& code = code_.functions[static_cast<size_t>(place.function)].code;
    // What runs in one go ends in front of the stop, and stays divided there: it changes no result.
    for (ir::Pc pc = place.pc; pc-- > 0 && code[pc].plain > place.pc - pc;) {
      code[pc].plain = static_cast<uint16_t>(place.pc - pc);
    }
    ir::Inst brk = code[place.pc];
    brk.plain = 0;
    brk.shape = isa::Shape::control;
    brk.control = isa::Control::brkpt;
    brk.guard = isa::kNoSlot;
    stops_.push_back({place, brk});
  }
}

void StepperImpl::observe(Observer* observer) {
  grid_.services_.observer = observer;
  for (Tally& tally : grid_.tallies_) {  // accesses must not pass an observer by way of what was found before
    for (std::vector<MemorySite>& sites : tally.memory) {
      std::fill(sites.begin(), sites.end(), MemorySite{});
    }
    tally.observed_region = {};
  }
}

// --- looking -------------------------------------------------------------------------------------------------------

std::vector<BlockView> StepperImpl::blocks() {
  std::vector<BlockView> out;
  for (const auto& block : grid_.blocks_) {
    if (block->in_use_) {
      out.push_back({block->handle_, block->id_, block->ctaid_, block->warp_count_, block->shared_});
    }
  }
  return out;
}

Activation StepperImpl::activation(const Frame& frame, Pc pc) const {
  return {{frame.function_index, pc}, frame.function, frame.regs, frame.local_base};
}

std::vector<LaneGroup> StepperImpl::groups(WarpRef ref) {
  const WarpImpl& warp = impl(ref);
  std::vector<LaneGroup> out;
  const auto add = [&](LaneGroup group, const Frame* frame, Pc pc) {
    for (; frame != nullptr; pc = frame->return_pc - 1, frame = frame->caller) {
      group.calls.push_back(activation(*frame, pc));
    }
    out.push_back(std::move(group));
  };
  const auto waits = [](Wait wait) {
    return wait == Wait::none ? Waits::no : wait == Wait::block_barrier ? Waits::barrier : Waits::warp_sync;
  };
  const auto add_group = [&](const Group& group) {
    LaneGroup shown{.lanes = group.mask, .waits = waits(group.wait)};
    shown.barrier = group.wait == Wait::block_barrier ? static_cast<int>(group.sync_mask) : -1;
    shown.members = group.wait == Wait::warp_sync ? group.sync_mask : 0;
    add(std::move(shown), group.frame, group.pc);
  };
  if (warp.current_ >= 0) {
    add_group(warp.groups_[static_cast<size_t>(warp.current_)]);
  }
  for (int i = static_cast<int>(warp.groups_.size()) - 1; i >= 0; --i) {
    if (i != warp.current_) {
      add_group(warp.groups_[static_cast<size_t>(i)]);
    }
  }
  for (const Split& split : warp.splits_) {
    if (split.in_use && split.arrived != 0 && split.frame != nullptr) {
      add({.lanes = split.arrived, .waits = Waits::meeting, .members = split.pending}, split.frame, split.reconverge);
    }
  }
  return out;
}

std::span<std::byte> StepperImpl::local_memory(WarpRef ref, int lane) {
  return {impl(ref).local_memory(lane), grid_.local_bytes_};
}

}  // namespace hpml::sim::exec
