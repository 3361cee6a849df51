#pragma once
// One streaming multiprocessor: resident blocks and warps, four issue schedulers with their pipes, the load/store unit.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "simulator/timing/clock/component.hpp"
#include "simulator/timing/core/issue_waits.hpp"
#include "simulator/timing/core/lsu.hpp"
#include "simulator/timing/core/pace.hpp"
#include "simulator/timing/core/policy.hpp"
#include "simulator/timing/core/warp_state.hpp"
#include "simulator/timing/issue_watch.hpp"

namespace hpml::sim::timing {

class Sm final : public Component, public LoadSink {
 public:
  Sm(const GpuSpec& spec, int index, SmPort& port, PickWarp pick);

  // clusters: of several blocks.
  void start_kernel(uint64_t l1_bytes, uint32_t registers, bool clusters, Cycle now);
  // Of a block that was given its place at `since`, which may be over: its warps wait longer than that.
  // Precondition: the grid scheduler knows that there is room.
  void place(exec::Block& block, int handle, Cycle since, Cycle now);

  void attach(const Apertures* apertures) { lsu_.attach(apertures); }
  // `start`: of the launch, from which it hears cycles.
  void watch(IssueWatch* watch, const Cycle* start) {
    watch_ = watch;
    launch_start_ = start;
  }
  // Several SMs may tick side by side: one touches only itself, its port and what belongs to its blocks. It stops in
  // front of an instruction that takes turns with those of others (ir::Inst::turns); finish_tick(), of one SM
  // after the other, goes on from there.
  void tick(Cycle now) override;
  bool waits_for_turn() const { return held_.sub >= 0 || !unfetched_.empty(); }
  void finish_tick(Cycle now);
  Cycle next_event() const override;
  bool has_trapped() const { return trapped_; }
  // The blocks that have finished since the call before: their resources are free.
  struct Finished {
    int handle = -1;
    Cycle at;
  };
  std::vector<Finished> take_finished() { return std::exchange(finished_, {}); }
  // The barrier of its cluster has opened; these of its warps waited there.
  void cluster_passed(int handle, uint64_t warps, Cycle now);
  void describe(std::string& out) const override;

  // Counts the cycles up to `now` that no tick has seen.
  void settle(Cycle now);

  // Between two sampling units. pause(): no warp issues any more. fast_forward(), once all packets have arrived: the
  // resident warps execute about `share` instructions together, which take no simulated time; each block gets its part
  // by `pace`. Their accesses warm the caches if `below` is not null. Returns the instructions executed; 0: every warp
  // waits for something. resume() ends the pause.
  void pause(Cycle now);
  uint64_t fast_forward(uint64_t share, const Pace& pace, WarmingPort* below, Cycle now);
  void resume(Cycle now);
  // Adds what the resident blocks have issued since the call before.
  void take_pace(Pace& pace);
  int resident_warps() const { return resident_warps_; }
  const ModelCounters& counters() const { return counters_; }
  uint64_t steps() const { return steps_; }  // executed warp instructions, those without a machine instruction included

  void load_done(int warp_slot, uint64_t age, uint32_t load, Cycle when) override;
  void queue_has_room(int sub_partition) override;

 private:
  struct Resident {
    exec::Block* block = nullptr;
    int handle = -1;
    int warps = 0;           // that have not ended
    uint64_t age = 0;        // of its first warp
    Cycle barrier_done;      // the barrier unit has served every arrival so far
    Cycle cluster_open;      // when the barrier of its cluster has let everybody go on that waits there
    std::vector<int> slots;  // warp slot by warp index
  };
  struct SubPartition {
    uint32_t resident = 0;                         // bit i: its warp i (slot i * sub_partitions + its index)
    int last = -1;                                 // who issued last
    Cycle wake;                                    // next evaluation
    Cycle evaluated;                               // last evaluation: reasons hold from there
    bool occupied = false;                         // by warps, then
    std::array<uint64_t, kPipeCount> pipe_free{};  // fine
    WarpsByReason reasons{};                       // at the last evaluation
    WarpCycles warp_cycles;                        // of them, up to it
    std::array<uint64_t, 32> age{};
    IssueWaits waits;
  };

  int slot_of(size_t sub, int warp) const { return warp * static_cast<int>(subs_.size()) + static_cast<int>(sub); }
  WarpState& warp(int slot) { return warps_[static_cast<size_t>(slot)]; }
  void account(SubPartition& sub, Cycle now);
  void account_start(SubPartition& sub, Cycle since, Cycle now);
  void schedule_from(size_t sub, Cycle now);
  void schedule(size_t sub, Cycle now);
  void issue_picked(size_t sub, int slot, uint32_t nth, Cycle now);
  void look_again(size_t sub, Cycle now);
  Stall own_wait(const WarpState& w, Cycle now, Cycle& next) const;
  Stall target_wait(size_t sub, IssueTarget target, Cycle now, Cycle& next) const;
  Stall why_not(size_t sub, const WarpState& w, Cycle now, Cycle& next) const;
  uint64_t& pipe_free(size_t sub, Pipe pipe);
  uint64_t pipe_free(size_t sub, Pipe pipe) const;
  void issue(size_t sub, int slot, Cycle now);
  void tell(const WarpState& w, bool free, Cycle now) const;
  void occupy(size_t sub, const ir::Inst& inst, Cycle now);
  void track_copies(WarpState& w, uint32_t load, Cycle now);
  void add_barrier_copy(const std::byte* mbarrier, uint32_t load, Cycle ready, Cycle now);
  void barrier_copy_done(uint32_t load, Cycle when);
  Cycle copies_awaited(const WarpState& w) const;
  void set_results(size_t sub, int slot, const ir::Inst& inst, Cycle now);
  void combine(WarpState& w, const ir::Inst& inst, RegReady ready, Cycle now);
  void write(WarpState& w, const ir::Inst& inst, RegReady ready);
  void set_control(WarpState& w, const ir::Inst& inst, Cycle now);
  bool end_of_step(int slot, Cycle now);
  void arrive_at_barrier(int slot, Cycle now);
  void release_barrier(int block, Cycle now);
  void pass_barrier(int slot, Cycle when, Cycle now);
  std::vector<size_t> blocks_by_age() const;
  uint64_t forward_block(exec::Block& block, uint64_t slice, exec::AccessSink* sink);
  void retire_finished(size_t at, Cycle now);
  void retire_warp(int slot, Cycle now);
  void fetch(int slot, Cycle now);
  bool takes_turn(const ir::Inst& inst) const { return inst.turns >= least_turns_; }
  RegReady needs_of(const WarpState& w, const ir::Inst& inst) const;
  RegReady guard_ready(const WarpState& w, const ir::Inst& inst) const;
  void forget(int slot);
  void wake(int slot, Cycle when);

  const GpuSpec& spec_;
  int index_;
  IssueWatch* watch_ = nullptr;
  const Cycle* launch_start_ = nullptr;
  PickWarp pick_;
  Lsu lsu_;
  std::vector<SubPartition> subs_;
  std::vector<WarpState> warps_;
  std::vector<Resident> blocks_;
  std::array<uint64_t, isa::kLatCount> interval_{};  // fine
  std::array<Wait, isa::kLatCount> wait_{};
  std::array<IssueTarget, isa::kLatCount> target_{};
  uint64_t guard_extra_ = 0;   // cycles that a guard waits longer than an operand
  uint64_t fp64_free_ = 0;     // fine; where the SM has one FP64 pipe
  uint64_t barrier_free_ = 0;  // fine
  uint64_t next_age_ = 1;
  uint64_t steps_ = 0;
  int resident_warps_ = 0;
  bool paused_ = false;
  // Where tick() has stopped: a sub-partition's picked warp, and as which of this cycle's instructions of the warp.
  struct Held {
    int sub = -1;  // none
    int slot = 0;
    uint32_t nth = 0;
  };
  ir::Turns least_turns_ = ir::Turns::always;  // of the instructions that take turns in this launch
  bool in_tick_ = false;                       // others may tick at the same time
  Held held_;
  std::vector<BarrierCopy> barrier_copies_;
  uint64_t next_copy_ = 0;      // BarrierCopy::order
  std::vector<int> unfetched_;  // warps whose next instructions are no machine instructions, and take turns
  std::vector<Finished> finished_;
  bool trapped_ = false;  // one of its warps
  Cycle active_since_;    // first cycle not yet counted as active
  exec::Effects effects_;
  ModelCounters counters_;
};

}  // namespace hpml::sim::timing
