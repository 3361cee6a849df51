#pragma once
// The engine: time() lets SMs and memory system go through one quantum after the other (cycle_engine.cpp, quantum.cpp);
// fast_forward() executes what lies between two timed stretches, without time (fast_forward.cpp).
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "simulator/timing/core/sm.hpp"
#include "simulator/timing/engine.hpp"
#include "simulator/timing/gpu/memory_system.hpp"
#include "simulator/timing/gpu/sampler.hpp"
#include "simulator/timing/gpu/team.hpp"

namespace hpml::sim::timing {

class CycleEngine final : public Engine {
 public:
  CycleEngine(const GpuSpec& spec, PickWarp pick)
      : spec_(spec), memory_(spec_), sm_wake_(spec.topology.sms, kNever), ticked_(spec.topology.sms) {
    for (uint32_t i = 0; i < spec.topology.sms; ++i) {
      sms_.push_back(std::make_unique<Sm>(spec_, static_cast<int>(i), memory_.port(static_cast<int>(i)), pick));
    }
  }

  RunResult run(exec::Grid& grid, const BlockNeeds& needs, uint32_t registers, const RunOptions& options) override;
  uint64_t clock() const override { return now_ - start_; }
  void attach(const Apertures* apertures) override;
  void watch(IssueWatch* watch) override;
  void memory_written(uint64_t address, uint64_t bytes) override;

 private:
  // Where the SMs and the memory system stand.
  struct Mark {
    Cycle at;
    std::vector<uint64_t> steps, active;  // by SM: instructions, cycles with a warp
    std::vector<int> resident;            // warps, by SM
    ModelCounters counters;
    Pace pace;  // since the mark before
  };

  // Room for one block.
  struct Place {
    int sm = 0;
    Cycle since;
    friend bool operator==(const Place&, const Place&) = default;
  };

  // How far an SM has come in the quantum: written by who simulates it, read by the one who goes on. On a cache line of
  // its own.
  struct alignas(64) Ticked {
    Cycle last, next;    // tick; event, or its turn
    uint64_t ticks = 0;  // in this quantum
    bool waits_for_turn = false;
  };

  void begin(exec::Grid& grid, const BlockNeeds& needs, uint32_t registers);
  void place_blocks();
  bool choose_places();
  void start_cluster(Cycle since);
  void free_place(size_t sm, Cycle since);
  void pass_cluster_barriers();
  void advance();
  void run_sms();
  void run_sm(size_t sm);
  bool take_turns();
  void finish_sms();
  void run_slices();
  void move_packets();
  void retire_finished();
  void retire_finished(size_t sm);
  void wake(size_t sm, Cycle when);
  bool trapped() const { return grid_->trap().has_value(); }
  bool blocks_done() const { return !blocks_left_ && grid_->blocks_finished() == grid_->block_count(); }
  Cycle next_event() const;
  Cycle next_move() const;
  uint64_t steps() const;
  Mark mark();
  Segment so_far() const;
  void segment_ends(Sampler& sampler) const;
  bool time(const Sampler::Limits& limits);
  int resident_warps() const;
  double done() const;
  std::string describe() const;
  // fast_forward.cpp
  void fast_forward(Sampler& sampler);
  void fast_forward_to_end(Sampler& sampler);
  void drain();
  void resume();
  double forward_round(double& cycles, double fewest);
  double forward_sweep(double& cycles);
  void sort_places();
  void place_untimed(size_t blocks);
  double memory_use(const ModelCounters& traffic, double cycles) const;

  const GpuSpec spec_;  // a copy: the engine outlives whatever it was made from
  MemorySystem memory_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::vector<Cycle> sm_wake_;
  std::vector<size_t> due_;      // those that have something to do in this quantum
  std::vector<size_t> waiting_;  // for their turn
  std::vector<Place> finished_;  // that blocks have left in this quantum
  std::vector<Ticked> ticked_;
  std::unique_ptr<Team> team_;
  const std::function<void(unsigned)> run_share_ = [this](unsigned share) {
    const size_t sms = sms_.size(), shares = team_->shares() - 1;
    if (share == shares) {
      run_slices();
      return;
    }
    for (size_t i = (share * sms + shares - 1) / shares; i * shares < (share + 1) * sms; ++i) {
      run_sm(i);
    }
  };
  exec::Grid* grid_ = nullptr;
  uint32_t per_sm_ = 0;        // blocks that an SM holds at most
  std::deque<Place> free_;     // in the order in which they are given away
  std::vector<Place> places_;  // of those, where the next cluster goes; empty: not chosen
  bool no_places_ = false;     // room there is, but for no cluster: until more becomes free
  std::vector<int> sm_of_;     // by block handle
  bool blocks_left_ = false;
  uint64_t next_place_ = 0;                             // fine
  Cycle start_;                                         // of the launch
  Cycle now_, end_;                                     // of the quantum
  uint64_t quantum_ = 1;                                // its cycles
  bool served_ = false;                                 // what slices do in it is done
  bool advancing_ = false;                              // slices and SMs are at work on it
  std::vector<std::pair<uint64_t, uint64_t>> written_;  // memory_written() meanwhile: address, bytes
  Cycle last_;                                          // tick of anything
  uint64_t turns_ = 0;                                  // cycles of the stretch in which something happened to model
  std::string deadlock_;
  // Of the stretch timed last: what it did, how fast its SMs were, how their blocks got on, what it executed.
  Stretch stretch_;
  Segment before_segment_;  // totals when it began
  SmRates rates_;
  Pace pace_;
  MixWatch watch_;
  bool warming_ = false;       // functional warming: the caches see what is executed
  std::vector<double> ahead_;  // by SM: instructions that were executed too many of while fast-forwarding
};

}  // namespace hpml::sim::timing
