#include "simulator/timing/engine.hpp"

#include <fmt/format.h>

#include <deque>
#include <limits>

#include "simulator/timing/core/sm.hpp"

namespace hpml::sim::timing {

namespace {

class CycleEngine final : public Engine, public SmObserver {
 public:
  CycleEngine(const GpuSpec& spec, PickWarp pick)
      : spec_(spec), memory_(spec_), sm_wake_(spec.topology.sms, kNever), active_(spec.topology.sms) {
    for (uint32_t i = 0; i < spec.topology.sms; ++i) {
      sms_.push_back(std::make_unique<Sm>(spec_, static_cast<int>(i), memory_.port(static_cast<int>(i)), pick, *this));
    }
  }

  RunResult run(exec::Grid& grid, const BlockNeeds& needs, uint32_t registers, const RunOptions& options) override;
  uint64_t clock() const override { return now_ - start_; }
  void memory_written(uint64_t address, uint64_t bytes) override { memory_.place(address, bytes); }

  void block_finished(int sm, int handle) override {
    grid_->retire(handle);
    free_sms_.push_back(sm);
  }
  void trapped() override { trapped_ = true; }

 private:
  struct Mark {
    Cycle at;
    uint64_t steps = 0;
  };

  void begin(exec::Grid& grid, const BlockNeeds& needs, uint32_t registers);
  void place_blocks();
  bool tick();
  void wake(size_t sm, Cycle when);
  bool blocks_done() const { return !blocks_left_ && grid_->blocks_finished() == grid_->block_count(); }
  Cycle next_event() const;
  uint64_t steps() const;
  double bounded_by_dram(double rate, double steps, double all) const;
  void extrapolate(RunResult& result, const Mark& half, const Mark& stop);
  std::string describe() const;

  const GpuSpec spec_;  // a copy: the engine outlives whatever it was made from
  MemorySystem memory_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::vector<Cycle> sm_wake_;
  ActiveSet active_;  // SMs with a wake
  exec::Grid* grid_ = nullptr;
  std::deque<int> free_sms_;  // room for one block each, in the order in which it is given away
  bool blocks_left_ = false, trapped_ = false;
  uint64_t next_place_ = 0;  // fine
  Cycle start_, now_;
  uint64_t dirty_before_ = 0;  // sectors in L2 when the kernel started
};

void CycleEngine::begin(exec::Grid& grid, const BlockNeeds& needs, uint32_t registers) {
  const uint32_t per_sm = occupancy(spec_, needs).blocks_per_sm;
  HPML_CHECK(per_sm > 0, "a block of {} threads does not fit an SM", needs.threads);
  grid_ = &grid;
  trapped_ = false;
  blocks_left_ = true;
  now_ = now_ + 1;
  start_ = now_;
  next_place_ = fine(now_);
  memory_.start_kernel(now_);
  dirty_before_ = memory_.dirty_sectors();
  const uint64_t l1 = l1_bytes(spec_, carveout_bytes(spec_, needs));
  for (auto& sm : sms_) {
    sm->start_kernel(l1, registers, now_);
  }
  std::fill(sm_wake_.begin(), sm_wake_.end(), kNever);
  active_.clear();
  // Breadth first over SMs: the first SM of every TPC, then the second, then again.
  free_sms_.clear();
  for (uint32_t round = 0; round < per_sm; ++round) {
    for (size_t first = 0; first < 2; ++first) {
      for (size_t sm = first; sm < sms_.size(); sm += 2) {
        free_sms_.push_back(static_cast<int>(sm));
      }
    }
  }
}

void CycleEngine::place_blocks() {
  while (blocks_left_ && !free_sms_.empty() && next_place_ < fine(now_ + 1)) {
    const int sm = free_sms_.front();
    const int handle = grid_->start_block(sm);
    if (handle < 0) {
      blocks_left_ = false;
      return;
    }
    free_sms_.pop_front();
    next_place_ = std::max(next_place_, fine(now_)) + to_fine(spec_.core.block_place_cycles);
    sms_[static_cast<size_t>(sm)]->place(grid_->block(handle), handle, now_);
    wake(static_cast<size_t>(sm), now_);
  }
}

// SMs touch only themselves and their ports; the memory system, after them, moves what they sent.
bool CycleEngine::tick() {
  bool moved = false;
  active_.for_each([&](size_t i) {
    if (sm_wake_[i] > now_ || trapped_) {
      return;
    }
    moved = sms_[i]->tick(now_) || moved;
    const Cycle next = sms_[i]->next_event();
    sm_wake_[i] = next == kNever ? kNever : later(next, now_ + 1);
    if (!memory_.port(static_cast<int>(i)).out.empty()) {
      memory_.sent(static_cast<int>(i));
    }
    if (next == kNever) {
      active_.erase(i);
    }
  });
  moved = memory_.tick(now_) || moved;
  memory_.take_receivers(
      [&](size_t i) { wake(i, later(memory_.port(static_cast<int>(i)).in.next_ready(), now_ + 1)); });
  memory_.take_relieved([&](size_t i) { wake(i, now_ + 1); });
  return moved;
}

void CycleEngine::wake(size_t sm, Cycle when) {
  active_.insert(sm);
  sm_wake_[sm] = earlier(sm_wake_[sm], when);
}

Cycle CycleEngine::next_event() const {
  Cycle next = memory_.next_event();
  active_.for_each([&](size_t i) { next = earlier(next, sm_wake_[i]); });
  if (blocks_left_ && !free_sms_.empty()) {
    next = earlier(next, whole(next_place_));
  }
  return next;
}

uint64_t CycleEngine::steps() const {
  uint64_t total = 0;
  for (const auto& sm : sms_) {
    total += sm->steps();
  }
  return total;
}

RunResult CycleEngine::run(exec::Grid& grid, const BlockNeeds& needs, uint32_t registers, const RunOptions& options) {
  constexpr uint64_t kCheckEvery = 256;  // evaluated cycles between two looks at the instruction count
  constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();
  const bool sampling = options.sample_after != 0 || options.sample_after_turns != 0;
  const uint64_t most_steps = options.sample_after != 0 ? options.sample_after : kAll;
  const uint64_t most_turns = options.sample_after_turns != 0 ? options.sample_after_turns : kAll;
  begin(grid, needs, registers);
  RunResult result;
  Mark half{start_, 0};
  for (uint64_t turn = 0; !trapped_; ++turn) {
    result.turns = turn;
    place_blocks();
    tick();
    const Cycle next = next_event();
    if (next == kNever) {
      result.deadlock = blocks_done() ? "" : describe();
      break;  // a kernel ends when its last store has reached L2, too
    }
    now_ = later(next, now_ + 1);
    if (sampling && turn % kCheckEvery == 0) {
      const Mark mark{now_, steps()};
      half = half.steps == 0 && (mark.steps >= most_steps / 2 || turn >= most_turns / 2) ? mark : half;
      if (mark.steps >= most_steps || turn >= most_turns) {
        for (auto& sm : sms_) {
          sm->settle(now_);
        }
        extrapolate(result, half, mark);
        return result;
      }
    }
  }
  now_ = now_ + 1;
  for (auto& sm : sms_) {
    sm->settle(now_);
    result.counters.add(sm->counters());
  }
  result.counters.add(memory_.counters());
  result.cycles = static_cast<double>(now_ - start_);
  return result;
}

// A short window may leave in L2 what it has written. A kernel that writes more than L2 holds pays for that in the long
// run: it cannot be faster than DRAM is with all that its timed part has read and written.
double CycleEngine::bounded_by_dram(double rate, double steps, double all) const {
  const ModelCounters& counters = memory_.counters();
  const uint64_t dirty = memory_.dirty_sectors();
  const double left = static_cast<double>(dirty > dirty_before_ ? dirty - dirty_before_ : 0);
  if (left * all / steps * kSectorBytes < static_cast<double>(spec_.l2.size_kib) * 1024) {
    return rate;
  }
  const double cycles = memory_.dram_cycles(static_cast<double>(counters.dram_read_sectors),
                                            static_cast<double>(counters.dram_write_sectors) + left);
  return std::min(rate, steps / cycles);
}

// The rest without time, at the rate of the second half of the timed window.
void CycleEngine::extrapolate(RunResult& result, const Mark& half, const Mark& stop) {
  for (const auto& sm : sms_) {
    result.counters.add(sm->counters());
  }
  result.counters.add(memory_.counters());
  grid_->run_rest();
  const double all = static_cast<double>(grid_->counters().warp_instructions);
  const double timed = static_cast<double>(stop.steps);
  const double measured = static_cast<double>(stop.steps - half.steps) / static_cast<double>(stop.at - half.at);
  const double rate = bounded_by_dram(measured, timed, all);
  result.cycles = static_cast<double>(stop.at - start_) + std::max(0.0, all - timed) / rate;
  result.sampled = true;
  result.sampled_fraction = std::min(1.0, timed / all);
  result.counters.scale(1.0 / result.sampled_fraction);
  const exec::Counters& counted = grid_->counters();
  const auto sectors = static_cast<double>(counted.global_ld.sectors + counted.global_st.sectors);
  memory_.passed_untimed(sectors * (1.0 - result.sampled_fraction));
  now_ = now_ + 1000000;  // what was in flight has long arrived when the next kernel starts
}

std::string CycleEngine::describe() const {
  std::string out = fmt::format("nothing can move at cycle {}\n", clock());
  for (const auto& sm : sms_) {
    sm->describe(out);
  }
  memory_.describe(out);
  return out + grid_->describe_waiting();
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::create(const GpuSpec& spec) {
  HPML_TRY(const PickWarp pick, find_policy(spec.core.scheduler));
  return std::unique_ptr<Engine>(std::make_unique<CycleEngine>(spec, pick));
}

}  // namespace hpml::sim::timing
