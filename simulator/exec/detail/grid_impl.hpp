#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/exec/detail/cluster.hpp"
#include "simulator/exec/detail/lazy_bytes.hpp"
#include "simulator/exec/detail/warp_collectives.hpp"

namespace hpml::sim::exec {

class GridImpl;
class BlockImpl;

// The instruction loop.
class WarpImpl final : public Warp, private WarpCollectives {
 public:
  void start(GridImpl& grid, BlockImpl& block, int index, LaneMask lanes);

  bool finished() const override { return live_ == 0; }
  bool at_barrier() const override { return live_ != 0 && current_ < 0; }
  const ir::Inst& next() const override;
  LaneMask next_mask() const override;
  void step(Effects& effects) override;
  int index() const override { return index_; }

  uint64_t run(uint64_t budget, AccessSink* sink) override;
  bool idle() const { return idle_; }  // the last run() ended that way

  // For the block.
  using WarpCollectives::append_waiting;
  using WarpCollectives::release_barrier;
  using WarpCollectives::waits_at;
  using WarpCollectives::waits_for_cluster;
  LaneMask live() const { return live_; }
  uint64_t cycles() const { return cycles_; }
  void wait_until(uint64_t cycles) { cycles_ = std::max(cycles_, cycles); }
  std::string describe() const;

 private:
  // run.cpp
  template <bool kClock>
  void tick(const ir::Inst& inst);
  template <bool kClock>
  void run_plain(const ir::Inst* at, const ir::Inst* end, std::byte* regs, LaneMask mask);
  template <bool kClock>
  uint64_t run_straight_on(uint64_t budget, AccessSink* sink, bool& at_other);
  uint64_t run_straight(uint64_t budget, AccessSink* sink, bool& at_other);
  void heard_memory(const ir::Inst& inst, LaneMask active, AccessSink& sink);
  // warp.cpp
  template <bool kEffects>
  bool execute(Effects* effects);
  void memory(const ir::Inst& inst, LaneMask active, Effects* effects);
  void special_inst(const ir::Inst& inst, LaneMask active, Effects* effects);

  friend class BlockImpl;
  friend class GridImpl;
  friend class StepperImpl;
};

struct Barrier {
  uint32_t expected_threads = 0;  // 0: all threads of the block
  uint64_t warps = 0;             // that have arrived (bit per warp)
  int arrivals = 0;               // warps counted, bar.arrive included
  uint32_t red_popc = 0, red_total = 0;
};

class BlockImpl final : public Block {
 public:
  void start(GridImpl& grid, std::shared_ptr<Cluster> cluster, uint64_t nth, int sm);
  void retire();

  int warp_count() const override { return warp_count_; }
  Warp& warp(int index) override { return *warps_[static_cast<size_t>(index)]; }
  WarpImpl& warp_impl(int index) { return *warps_[static_cast<size_t>(index)]; }
  bool finished() const override { return finished_warps_ == warp_count_; }
  uint64_t id() const override { return id_; }
  uint64_t take_released() override {
    const uint64_t out = released_;
    released_ = 0;
    return out;
  }

  void warp_arrives(int warp, int id, uint32_t expected_threads, bool waits);
  void warp_finished();
  // After lanes have exited: they no longer count.
  void check_barriers();
  bool check_barrier(int id);            // true: it has opened
  void cluster_gains(unsigned threads);  // so many have arrived at its barrier, or exited instead
  Barrier& barrier(int id) { return barriers_[static_cast<size_t>(id)]; }

  GridImpl* grid_ = nullptr;
  Tally* tally_ = nullptr;
  bool trapped_ = false;
  uint64_t id_ = 0;
  int sm_ = 0;
  int handle_ = -1;
  std::array<uint32_t, 3> ctaid_ = {}, clusterid_ = {};
  std::shared_ptr<Cluster> cluster_;
  uint32_t rank_ = 0;
  int warp_count_ = 0, finished_warps_ = 0;
  uint64_t released_ = 0;
  std::vector<std::unique_ptr<WarpImpl>> warps_;
  std::vector<std::byte> shared_;
  LazyBytes local_;  // [warp][lane][bytes]
  std::array<Barrier, kBarriers> barriers_;
  uint32_t used_barriers_ = 0;  // a bit for each that a lane of the block has named
  bool in_use_ = false;

 private:
  void release(int id);
  void cluster_opens();
};

class GridImpl final : public Grid {
 public:
  GridImpl(const Launch& launch, const Services& services);

  uint64_t block_count() const override { return launch_.grid.count(); }
  unsigned shares() const override { return static_cast<unsigned>(tallies_.size()); }
  uint64_t blocks_started() const override { return started_; }
  uint64_t blocks_finished() const override { return finished_; }
  int start_block(int sm) override;
  uint32_t cluster_blocks() const override { return static_cast<uint32_t>(launch_.cluster.count()); }
  std::vector<ClusterPassed> take_cluster_passed() override { return std::exchange(cluster_passed_, {}); }
  Block& block(int handle) override { return *blocks_[static_cast<size_t>(handle)]; }
  void retire(int handle) override;
  void run_rest() override;
  const std::optional<Trap>& trap() const override { return trap_; }
  std::string stray_access() const override { return stray_; }
  const Counters& counters() const override;
  const Touched& touched() const override;
  std::vector<LineAccess> line_accesses() const override;
  std::string take_output() override { return std::exchange(output_, {}); }
  std::string take_assertions() override { return std::exchange(assertions_, {}); }
  std::string describe_waiting() const override;
  void report_deadlock() override;

  void check_limits() override;

  // Of a block; several may trap side by side. The launch's is that of the first multiprocessor.
  void set_trap(Trap trap, BlockImpl& block);
  // Of all blocks, that of the first in grid order is kept: the same for any number of threads.
  bool wants_stray(const BlockImpl& block);
  void note_stray(std::string text, const BlockImpl& block);
  bool trapped() const { return trap_.has_value(); }
  bool has_held_trap() const { return held_trap_.has_value(); }
  uint64_t executed() const;
  uint64_t longest_warp_cycles() const override { return longest_warp_cycles_; }
  // Cycles by instruction class, where the warps keep clocks of their own; else null.
  const uint32_t* latency() const { return clocks_by_latency_ ? launch_.latency.data() : nullptr; }
  void warp_took(uint64_t cycles) { longest_warp_cycles_ = std::max(longest_warp_cycles_, cycles); }

  Launch launch_;
  Services services_;
  const ir::Kernel& kernel_;
  LaneStorage consts_;
  std::vector<Tally> tallies_;                     // by share
  bool holding_back_ = false;                      // a fault goes to held_trap_
  alignas(64) std::array<std::byte, 64> nowhere_;  // memory of lanes that the observer holds back
  uint32_t threads_per_block_ = 0;
  uint32_t local_bytes_ = 0;                                  // per thread
  std::array<uint64_t, isa::kWarpSize> local_distance_ = {};  // of a lane's local memory from that of lane 0
  uint32_t shared_bytes_ = 0;
  std::string output_, assertions_;
  std::vector<ClusterPassed> cluster_passed_;

 private:
  enum class Pass : uint8_t { moved, idle, stopped };  // someone ran; all that ran wait in loops; nobody can run
  Pass run_pass(std::vector<int>& resident);
  void set_trap(Trap trap);

  void admit(std::vector<int>& resident);

  friend class StepperImpl;

  std::deque<std::unique_ptr<BlockImpl>> blocks_;
  std::shared_ptr<Cluster> starting_;  // of the block started last
  std::vector<int> free_;
  uint64_t started_ = 0, finished_ = 0;
  std::optional<Trap> trap_, held_trap_;
  bool clocks_by_latency_ = false;
  uint64_t longest_warp_cycles_ = 0;
  std::string stray_;
  std::atomic<uint64_t> stray_block_ = UINT64_MAX;
  int trap_sm_ = 0;
  std::mutex trap_lock_;
  uint64_t next_time_check_ = 0;
  mutable Counters counters_;  // as the last call said
  mutable Touched touched_;
};

inline bool WarpRegisters::trapped() const { return block_->trapped_; }

}  // namespace hpml::sim::exec
