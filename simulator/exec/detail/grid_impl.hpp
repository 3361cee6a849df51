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
#include "simulator/exec/detail/lanes.hpp"
#include "simulator/exec/detail/lazy_bytes.hpp"
#include "simulator/exec/detail/spin_watch.hpp"
#include "simulator/exec/detail/tally.hpp"
#include "simulator/exec/detail/warp_state.hpp"
#include "simulator/exec/grid.hpp"
#include "simulator/memory/image.hpp"

namespace hpml::sim::memory {
struct TensorMap;
}

namespace hpml::sim::exec {

class GridImpl;
class BlockImpl;
struct AddressPass;

inline constexpr uint32_t kBarriers = 16;               // of a block
inline constexpr uint32_t kClusterBarrier = kBarriers;  // the name of its cluster's

// Where each lane's bytes of an access are.
using Places = std::array<const std::byte*, 32>;

// A block's, for an observer.
struct SharedMemory {
  int owner = -1;  // handle; -1: there is no such block
  std::span<const std::byte> bytes;
};

class WarpImpl final : public Warp {
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

  // Called by the block.
  void release_barrier(int id);
  // Whether all its live lanes wait there: the number of threads that the instruction names, 0 for the whole block.
  std::optional<uint32_t> waits_at(int id) const;
  bool waits_for_cluster() const;
  void append_waiting(std::vector<ObservedGroup>& out) const;
  LaneMask live() const { return live_; }
  uint64_t cycles() const { return cycles_; }
  void wait_until(uint64_t cycles) { cycles_ = std::max(cycles_, cycles); }
  std::string describe() const;

 private:
  // control.cpp
  void take_branch(const ir::Inst& inst, LaneMask active);
  bool branch_past(const ir::Inst& inst, LaneMask taken);
  int split_for(const Group& g, Pc reconverge);
  static void park_lanes(Split& split, LaneMask lanes, const Patience& patience);
  void diverge(int group, Pc reconverge, LaneMask leaving, Pc leaving_pc);
  bool arrive_if_joined();
  bool park(int group);
  void complete(int split);
  int new_split(Pc reconverge, const Frame* frame, LaneMask lanes, int parent);
  void exit_lanes(LaneMask lanes);
  bool stalled() const { return current_ < 0 && live_ != 0 && !trapped(); }
  void let_stalled_go_on();
  bool return_parked();
  void remove_group(int group);
  void choose_group();
  void give_way();
  void indirect_branch(const ir::Inst& inst, LaneMask active);
  // spin.cpp
  bool someone_parked() const;
  void release_parked();
  void look_at_loop(Pc branch);
  bool asks_others(const ir::Function& function, Pc first, Pc last, int depth = 0) const;
  void nap();
  void wait_for_others();
  // calls.cpp
  void call(const ir::Inst& inst, LaneMask active);
  void enter(const ir::CallSite& site, int callee, LaneMask active);
  void indirect_call(const ir::Inst& inst, const ir::CallSite& site, LaneMask active);
  void call_libm(const ir::CallSite& site, LaneMask active);
  void return_lanes(LaneMask lanes);
  void copy_pieces(const std::vector<ir::CallSite::Piece>& pieces, uint32_t caller_base, uint32_t callee_base,
                   LaneMask lanes, bool into_callee);
  Frame* new_frame(int function_index);
  std::optional<uint64_t> uniform_special(const ir::SpecialUse& use, const Frame& frame) const;
  void fill_specials(Frame& frame);
  void refresh_clocks(Frame& frame);
  // device_runtime.cpp
  void call_builtin(const ir::CallSite& site, LaneMask active);
  void device_printf(const ir::CallSite& site, LaneMask active);
  void assert_fail(const ir::CallSite& site, LaneMask active);
  // device_calls.cpp
  void device_calls(const ir::CallSite& site, LaneMask active);
  uint64_t device_call(const ir::CallSite& site, int lane);
  uint64_t device_malloc_call(const ir::CallSite& site, int lane);
  uint64_t device_box_call(const ir::CallSite& site, int lane);
  uint64_t function_attributes(const ir::CallSite& site, int lane);
  uint64_t resident_blocks(const ir::CallSite& site, int lane);
  uint64_t give(const ir::CallSite& site, size_t argument, int lane, uint64_t value, uint64_t bytes);
  std::array<uint32_t, 3> read_dim3(const ir::CallSite& site, size_t index, int lane);
  std::string read_string(uint64_t address, int lane, size_t limit);
  std::byte* data_at(uint64_t address, int lane, uint64_t bytes);  // generic address; null: out of bounds
  uint64_t read_arg(const ir::CallSite& site, size_t index, int lane) const;
  // memory_ops.cpp
  struct Windows {
    LaneMask global = 0, shared = 0, local = 0, param = 0;
  };
  void memory(const ir::Inst& inst, LaneMask active, Effects* effects);
  void heard_memory(const ir::Inst& inst, LaneMask active, AccessSink& sink);
  void set_addresses(const ir::Inst& inst, LaneMask active);
  Windows sort_generic(LaneMask active);
  bool is_in_space(const ir::Inst& inst, uint64_t address) const;
  void convert_address(const ir::Inst& inst, LaneMask active);
  void global_access(const ir::Inst& inst, LaneMask active, Effects* effects);
  void shared_access(const ir::Inst& inst, LaneMask active, Effects* effects);
  void local_access(const ir::Inst& inst, LaneMask active, Effects* effects);
  void param_access(const ir::Inst& inst, LaneMask active);
  void generic_access(const ir::Inst& inst, LaneMask active, Effects* effects);
  const MemorySite* region_for(const ir::Inst& inst, LaneMask active);
  bool moves(const memory::Allocation& allocation) const;
  const memory::Allocation* allocation_at(uint64_t address, const ir::Inst& inst);
  // fast_access.cpp
  struct FastPlace;
  struct FastCount;
  Route route_of(const ir::Inst& inst) const;
  bool fast_access(const ir::Inst& inst, LaneMask active, MemorySite& site);
  bool fast_global(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs);
  bool fast_shared(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs);
  bool fast_local(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs);
  template <class T>
  bool fast_lanes(const ir::Inst& inst, LaneMask active, MemorySite& site, std::byte* regs, const FastPlace& place,
                  FastCount& count);
  AccessShape& learned_shape(MemorySite& site);
  void take_rows(const ir::Inst& inst, MemorySite& site);
  void count_pass(const ir::Inst& inst, LaneMask active, const MemorySite& site, const AddressPass& pass,
                  FastCount& out) const;
  void count_shape(const ir::Inst& inst, LaneMask active, const MemorySite& site, AccessShape& shape, uint64_t first,
                   FastCount& out);
  AccessCounters& counters_of(MemorySite& site, isa::Space space);
  void move(const ir::Inst& inst, LaneMask active, const AddressPass& pass, std::byte* regs, uintptr_t origin);
  void move_shape(const ir::Inst& inst, LaneMask active, const AccessShape& shape, std::byte* regs, uintptr_t at,
                  uint64_t third);
  void move_lanes(const ir::Inst& inst, LaneMask active, std::byte* regs, uintptr_t origin, const uint64_t* address);
  void move_one(const ir::Inst& inst, size_t lane, std::byte* regs, std::byte* place);
  void update(const ir::Inst& inst, LaneMask active, std::byte* regs, uintptr_t origin, const uint64_t* address,
              uint64_t third);
  // observe.cpp
  LaneMask observed(const ir::Inst& inst, LaneMask active, isa::Space space, Places& place,
                    const SharedMemory* of_cluster = nullptr);
  void hold_back(const ir::Inst& inst, LaneMask lane, isa::Space space);
  ObservedGroup observed_group(const Group& group) const;
  void note_written(uint64_t address, uint64_t bytes);
  void touch_managed(const ir::Inst& inst, LaneMask active, Effects* effects);
  // The access of address_: checked, counted, found; moves nothing. False: it trapped.
  bool find_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place);
  bool global_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place);
  const std::byte* stray_place(const ir::Inst& inst, int lane);
  void place_at(LaneMask active, const std::byte* view, uint64_t base, Places& place) const;
  bool shared_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place);
  bool places_in(BlockImpl& block, const ir::Inst& inst, LaneMask active, Places& place);
  void count_shared(const ir::Inst& inst, LaneMask active, Effects* effects);
  bool local_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place);
  void transfer(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space);
  void move_bytes(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space);
  template <uint32_t kBytes, uint32_t kContainer>
  void transfer_elements(const ir::Inst& inst, LaneMask active, const Places& place);
  void transfer_one(const ir::Inst& inst, int lane, const std::byte* place);
  void atomic(const ir::Inst& inst, LaneMask active, const Places& place, isa::Space space);
  void atomic_wide(const ir::Inst& inst, int lane, std::byte* memory);
  void count_global(const ir::Inst& inst, LaneMask active, Effects* effects, isa::Space space);
  // source_lines.cpp: the counters of the instruction in hand.
  AccessCounters& site(isa::Space space);
  void count_stride(AccessCounters& counters, LaneMask active) const;
  void add_conflict(AccessCounters& counters, LaneMask active, uint32_t bytes) const;
  bool aligned(const ir::Inst& inst, LaneMask active, isa::Space space);
  std::byte* local_memory(int lane);
  // warp_ops.cpp
  void warp_op(const ir::Inst& inst, LaneMask active, Effects* effects);
  bool sync_ready(const ir::Inst& inst, LaneMask active, LaneMask members);
  void run_synced(std::span<const int> groups, Effects* effects);
  // Groups that wait at the same warp-wide instruction as group `first`, and the lanes they cover.
  std::vector<int> waiting_with(int first, LaneMask& covered) const;
  bool run_complete(LaneMask absent);
  void exchange(std::span<const int> groups);
  bool exchange_alone(const ir::Inst& inst, const Group& group);
  // matrix_ops.cpp, matrix_products.cpp
  void matrix_together(std::span<const int> groups, Effects* effects);
  void matrix_op(const ir::Inst& inst, LaneMask active, Effects* effects);
  void matrix_multiply(const ir::Inst& inst, LaneMask active);
  void matrix_product(const ir::Inst& inst, LaneMask lanes);
  void warpgroup_product(const ir::Inst& inst, LaneMask lanes);
  std::vector<uint16_t> kept_by(const ir::Inst& inst, LaneMask lanes) const;
  std::vector<uint8_t> factors(const ir::Inst& inst, size_t from, int rows) const;
  bool read_shared_matrix(uint64_t descriptor, bool transposed, size_t first, size_t count, size_t along,
                          isa::Element type, std::vector<uint64_t>& out);
  void matrix_memory(const ir::Inst& inst, LaneMask active, Effects* effects);
  void matrix_rows(const ir::Inst& inst, LaneMask active, Effects* effects);
  void matrix_transpose(const ir::Inst& inst, LaneMask active);
  bool piece_places(const ir::Inst& access, LaneMask active, Effects* effects, Places& place, bool lines = true);
  void gather(const FragmentMap& map, const std::vector<isa::Slot>& slots, LaneMask lanes, isa::Element type,
              size_t row_step, size_t col_step, std::vector<uint64_t>& out) const;
  void scatter(const FragmentMap& map, const std::vector<isa::Slot>& slots, LaneMask lanes, isa::Element type,
               size_t row_step, const std::vector<uint64_t>& in);
  // image_ops.cpp
  void image_op(const ir::Inst& inst, LaneMask active, Effects* effects);
  void sample_texture(const ir::Inst& inst, const memory::Image& image, LaneMask active, Effects* effects);
  void access_surface(const ir::Inst& inst, const memory::Image& image, LaneMask active, Effects* effects);
  void read_surface(const ir::Inst& inst, int lane, const std::byte* place);
  void write_surface(const ir::Inst& inst, const memory::Image& image, int lane, std::byte* place);
  void ask_image(const ir::Inst& inst, const memory::Image& image, LaneMask active);
  const std::byte* texel_at(const memory::Image& image, uint64_t x, uint64_t y, uint64_t z, int lane);
  // async_copy.cpp
  void copy_async(const ir::Inst& inst, LaneMask active, Effects* effects);
  void copy_bulk(const ir::Inst& inst, LaneMask active, Effects* effects);
  bool copy_bulk_lane(const ir::Inst& inst, int lane, Effects* effects);
  bool copy_range(const ir::Inst& inst, int lane, uint64_t from, uint64_t to, uint64_t barrier, Effects* effects);
  // tensor_copy.cpp
  bool read_tensor_map(uint64_t address, int lane, memory::TensorMap& map);
  bool copy_box(const ir::Inst& inst, const memory::TensorMap& map, int lane, uint64_t shared);
  bool copy_tensor_lane(const ir::Inst& inst, int lane, Effects* effects);
  void copy_group(const ir::Inst& inst, Effects* effects);
  uint32_t stack_top(const Frame& frame, LaneMask lanes) const;
  void grow_stack(const ir::Inst& inst, LaneMask active);
  // mbarrier.cpp
  void mbarrier(const ir::Inst& inst, LaneMask active, Effects* effects);
  bool complete_bytes(uint64_t barrier, uint64_t bytes, int lane);
  // barrier.cpp
  void block_barrier(const ir::Inst& inst, LaneMask active, Effects* effects);
  // cluster.cpp
  void cluster_arrive(LaneMask active);
  void cluster_wait(LaneMask active);
  void leave_cluster(LaneMask lanes);
  uint64_t in_cluster(uint64_t own) const;
  uint64_t in_block(uint64_t address) const;
  uint32_t cta_rank(uint64_t address) const;
  static uint64_t at_rank(uint64_t address, uint32_t rank);
  BlockImpl* owner_of(uint64_t address, std::string& why) const;
  std::byte* shared_at(uint64_t address, uint64_t bytes) const;
  using Owners = std::array<BlockImpl*, isa::kWarpSize>;
  bool find_owners(const ir::Inst& inst, LaneMask& active, Owners& owner, Places& place);
  bool cluster_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place);

  // run.cpp
  template <bool kClock>
  void tick(const ir::Inst& inst);
  template <bool kClock>
  void run_plain(const ir::Inst* at, const ir::Inst* end, std::byte* regs, LaneMask mask);
  template <bool kClock>
  uint64_t run_straight_on(uint64_t budget, AccessSink* sink, bool& at_other);
  uint64_t run_straight(uint64_t budget, AccessSink* sink, bool& at_other);
  template <bool kEffects>
  bool execute(Effects* effects);
  void special_inst(const ir::Inst& inst, LaneMask active, Effects* effects);

  void fail(TrapKind kind, const std::string& what, int lane, std::optional<uint64_t> address = {});
  std::string describe_fault(TrapKind kind, const std::string& what, int lane, std::optional<uint64_t> address) const;
  uint32_t value_u32(isa::Slot slot, int lane) const;
  uint64_t value(isa::Slot slot, int lane, int bytes) const;
  LaneMask predicate(isa::Slot slot) const;
  void set_value(isa::Slot slot, int lane, int bytes, uint64_t value);
  void set_all(isa::Slot slot, LaneMask lanes, int bytes, uint64_t value);
  void set_predicate(isa::Slot slot, LaneMask lanes, LaneMask value);

  friend class BlockImpl;
  friend class GridImpl;
  friend class StepperImpl;

  bool trapped() const;

  GridImpl* grid_ = nullptr;
  BlockImpl* block_ = nullptr;
  Tally* tally_ = nullptr;  // the block's
  int index_ = 0;
  LaneMask live_ = 0;
  uint64_t cycles_ = 0;           // by GridImpl::latency()
  LaneMask cluster_arrived_ = 0;  // at the cluster's barrier, in this phase
  int current_ = -1;              // group that runs next; -1: none can
  std::vector<Group> groups_;
  std::vector<Split> splits_;
  SpinWatch spin_;
  bool idle_ = false;
  std::vector<std::unique_ptr<Frame>> frames_;  // in use
  std::vector<std::unique_ptr<Frame>> free_frames_;
  LaneAddresses address_;  // of the access in hand
  bool yield_ = false;     // the last instruction waits for another warp: run() gives way
  const std::byte* consts_ = nullptr;
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
  std::string output_;
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

inline bool WarpImpl::trapped() const { return block_->trapped_; }

}  // namespace hpml::sim::exec
