#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "common/base/check.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/run_order.hpp"

namespace hpml::sim::exec {

namespace {

constexpr size_t kMaxResident = 4096;
// Our frames hold arguments and results in memory, where hardware passes them in registers: what fits its stack must
// fit ours.
constexpr uint32_t kStackRoom = 4;
// Idle passes (run_order.hpp) after which we sleep in between, because a thread of the host may be what the kernel
// waits for.
constexpr int kBriskPasses = 1'000;
constexpr auto kIdleSleep = std::chrono::microseconds(200);
constexpr uint64_t kTimeCheck = 2'000'000;

}  // namespace

std::unique_ptr<Grid> Grid::create(const Launch& launch, const Services& services) {
  return std::make_unique<GridImpl>(launch, services);
}

GridImpl::GridImpl(const Launch& launch, const Services& services)
    : launch_(launch), services_(services), kernel_(launch.module->kernels[static_cast<size_t>(launch.kernel)]) {
  threads_per_block_ = static_cast<uint32_t>(launch.block.count());
  consts_.assign(launch.module->constants.begin(), launch.module->constants.end());
  for (const ir::ParamSlot& param : kernel_.param_slots) {
    uint64_t v = 0;
    HPML_CHECK(param.offset + param.bytes <= launch.params.size(),
               fmt::format("parameter block of {} bytes is too short", launch.params.size()));
    std::memcpy(&v, launch.params.data() + param.offset, param.bytes);
    if (param.sign_extend && param.bytes < 8) {
      const int shift = 64 - param.bytes * 8;
      v = static_cast<uint64_t>(static_cast<int64_t>(v << shift) >> shift);
    }
    for (size_t lane = 0; lane < isa::kWarpSize; ++lane) {
      std::memcpy(consts_.data() + (param.slot & ~isa::kConstBit) + lane * param.container, &v, param.container);
    }
  }
  tallies_.assign(static_cast<size_t>(launch.shares), Tally(*launch.module));
  const bool reads_clock = std::ranges::any_of(launch.module->functions, [](const ir::Function& function) {
    return std::ranges::any_of(function.specials, [](const auto& use) { return ir::changes_over_time(use.what); });
  });
  clocks_by_latency_ = reads_clock && !services.clock && std::ranges::any_of(launch.latency, std::identity());
  uint32_t frames = 0;
  bool calls = false;
  for (const ir::Function& f : launch.module->functions) {
    frames += f.local_bytes;
    calls |= f.grows_stack || launch.module->functions.size() > 1;
  }
  local_bytes_ = frames + (calls ? launch.stack_bytes * kStackRoom : 0);
  for (size_t lane = 0; lane < local_distance_.size(); ++lane) {
    local_distance_[lane] = lane * local_bytes_;
  }
  shared_bytes_ = kernel_.static_shared + kernel_.reserved_shared;
  if (launch.dynamic_shared > 0) {
    shared_bytes_ = kernel_.dynamic_shared_base + launch.dynamic_shared;
  }
}

int GridImpl::start_block(int sm) {
  if (started_ == block_count()) {
    return -1;
  }
  int handle = 0;
  if (!free_.empty()) {
    handle = free_.back();
    free_.pop_back();
  } else {
    handle = static_cast<int>(blocks_.size());
    blocks_.push_back(std::make_unique<BlockImpl>());
    blocks_.back()->handle_ = handle;
  }
  if (started_ % cluster_blocks() == 0) {
    starting_ = std::make_shared<Cluster>();
    starting_->blocks.assign(cluster_blocks(), nullptr);
    starting_->missing = uint64_t{cluster_blocks()} * threads_per_block_;
  }
  blocks_[static_cast<size_t>(handle)]->start(*this, starting_, started_++, sm);
  return handle;
}

namespace {

std::array<uint32_t, 3> place_in(const Extent& e, uint64_t n) {
  return {static_cast<uint32_t>(n % e.x), static_cast<uint32_t>(n / e.x % e.y), static_cast<uint32_t>(n / e.x / e.y)};
}

}  // namespace

// `nth` in the order of starting: cluster by cluster, in each by rank.
void BlockImpl::start(GridImpl& grid, std::shared_ptr<Cluster> cluster, uint64_t nth, int sm) {
  grid_ = &grid;
  tally_ = &grid.tallies_[static_cast<size_t>(sm) * grid.tallies_.size() / static_cast<size_t>(grid.launch_.sm_count)];
  trapped_ = false;
  sm_ = sm;
  in_use_ = true;
  finished_warps_ = 0;
  released_ = 0;
  const Extent& g = grid.launch_.grid;
  const Extent& c = grid.launch_.cluster;
  rank_ = static_cast<uint32_t>(nth % c.count());
  clusterid_ = place_in({g.x / c.x, g.y / c.y, g.z / c.z}, nth / c.count());
  const std::array<uint32_t, 3> within = place_in(c, rank_);
  ctaid_ = {clusterid_[0] * c.x + within[0], clusterid_[1] * c.y + within[1], clusterid_[2] * c.z + within[2]};
  id_ = (uint64_t{ctaid_[2]} * g.y + ctaid_[1]) * g.x + ctaid_[0];
  cluster_ = std::move(cluster);
  cluster_->blocks[rank_] = this;
  warp_count_ = static_cast<int>((grid.threads_per_block_ + 31) / 32);
  shared_.assign(grid.shared_bytes_, std::byte{0});
  local_.reserve(size_t{grid.local_bytes_} * 32 * static_cast<size_t>(warp_count_));
  barriers_.fill({});
  used_barriers_ = 0;
  for (int w = 0; w < warp_count_; ++w) {
    if (static_cast<size_t>(w) == warps_.size()) {
      warps_.push_back(std::make_unique<WarpImpl>());
    }
    const uint32_t left = grid.threads_per_block_ - static_cast<uint32_t>(w) * 32;
    warps_[static_cast<size_t>(w)]->start(grid, *this, w, left >= 32 ? isa::kFullMask : (1u << left) - 1);
  }
  if (grid.services_.observer != nullptr) {
    grid.services_.observer->block_started({handle_, ctaid_, warp_count_, grid.threads_per_block_, grid.shared_bytes_});
  }
}

void BlockImpl::retire() {
  in_use_ = false;
  cluster_->blocks[rank_] = nullptr;
  cluster_.reset();
}

void GridImpl::retire(int handle) {
  blocks_[static_cast<size_t>(handle)]->retire();
  free_.push_back(handle);
  ++finished_;
  if (finished_ == block_count() && held_trap_ && !trap_) {
    trap_ = std::move(held_trap_);
  }
}

void GridImpl::set_trap(Trap trap) {
  if (!trap_) {
    trap_ = held_trap_ ? std::move(held_trap_) : std::move(trap);
  }
}

void GridImpl::set_trap(Trap trap, BlockImpl& block) {
  if (holding_back_) {
    held_trap_ = std::move(trap);
    return;
  }
  const std::lock_guard lock(trap_lock_);
  block.trapped_ = true;
  if (trap_ && block.sm_ < trap_sm_) {
    trap_.reset();
  }
  trap_sm_ = trap_ ? trap_sm_ : block.sm_;
  set_trap(std::move(trap));
}

uint64_t GridImpl::executed() const {
  uint64_t sum = 0;
  for (const Tally& tally : tallies_) {
    sum += tally.executed;
  }
  return sum;
}

bool GridImpl::wants_stray(const BlockImpl& block) { return block.id_ < stray_block_.load(); }

void GridImpl::note_stray(std::string text, const BlockImpl& block) {
  const std::lock_guard lock(trap_lock_);
  if (wants_stray(block)) {
    stray_ = std::move(text);
    stray_block_ = block.id_;
  }
}

void GridImpl::check_limits() {
  if (launch_.max_warp_instructions == 0 && !launch_.out_of_time) {
    return;
  }
  const uint64_t done = executed();
  if (launch_.max_warp_instructions != 0 && done > launch_.max_warp_instructions) {
    set_trap(
        {TrapKind::timeout, fmt::format("the launch ran {} warp instructions, over the limit; an endless loop? ({})",
                                        launch_.max_warp_instructions, describe_waiting())});
  }
  if (launch_.out_of_time && done >= next_time_check_) {
    next_time_check_ = done + kTimeCheck;
    if (launch_.out_of_time()) {
      set_trap({TrapKind::timeout,
                fmt::format("the launch ran over its time limit; an endless loop? ({})", describe_waiting())});
    }
  }
}

// One turn for every resident warp.
GridImpl::Pass GridImpl::run_pass(std::vector<int>& resident) {
  bool ran = false, moved = false;
  for (size_t i = 0; i < resident.size() && !trapped(); ++i) {
    BlockImpl& block = *blocks_[static_cast<size_t>(resident[i])];
    for (int w = 0; w < block.warp_count() && !trapped(); ++w) {
      WarpImpl& warp = block.warp_impl(w);
      if (warp.ready() && warp.run(kSlice, nullptr) > 0) {
        ran = true;
        moved |= !warp.idle();
      }
    }
  }
  return moved ? Pass::moved : ran ? Pass::idle : Pass::stopped;
}

// One more cluster; all of a cooperative launch.
void GridImpl::admit(std::vector<int>& resident) {
  const bool all = launch_.cooperative;
  while (started_ < block_count() && (all || resident.size() + cluster_blocks() <= kMaxResident)) {
    for (uint32_t i = 0; i < cluster_blocks(); ++i) {
      resident.push_back(start_block(static_cast<int>(started_ % static_cast<uint64_t>(launch_.sm_count))));
    }
    if (!all) {
      return;
    }
  }
}

void GridImpl::run_rest() {
  std::vector<int> resident;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i]->in_use_) {
      resident.push_back(static_cast<int>(i));
    }
  }
  int fruitless = 0, idle = 0;
  while (!trapped()) {
    if (resident.empty() || launch_.cooperative || fruitless >= kFruitlessPasses) {
      admit(resident);
    }
    if (resident.empty()) {
      return;
    }
    const Pass pass = run_pass(resident);
    cluster_passed_.clear();  // nobody asks
    const auto done = std::remove_if(resident.begin(), resident.end(), [&](int handle) {
      if (!blocks_[static_cast<size_t>(handle)]->finished()) {
        return false;
      }
      retire(handle);
      return true;
    });
    fruitless = done == resident.end() ? fruitless + 1 : 0;
    resident.erase(done, resident.end());
    if (pass == Pass::stopped && !resident.empty() && started_ == block_count() && !trapped()) {
      report_deadlock();
      set_trap({TrapKind::deadlock, "deadlock: no warp can go on: " + describe_waiting()});
    }
    fruitless = pass == Pass::moved ? fruitless : kFruitlessPasses;
    idle = pass == Pass::idle && started_ == block_count() ? idle + 1 : 0;
    if (idle > kBriskPasses) {
      std::this_thread::sleep_for(kIdleSleep);
    }
    if (idle >= kIdlePasses) {
      set_trap({TrapKind::deadlock,
                "deadlock: every warp waits in a loop for memory that nobody writes: " + describe_waiting()});
    }
  }
}

const Counters& GridImpl::counters() const {
  counters_ = {};
  for (const Tally& tally : tallies_) {
    counters_.add(tally.sum(*launch_.module));
  }
  return counters_;
}

const Touched& GridImpl::touched() const {
  touched_ = {};
  for (const Tally& tally : tallies_) {
    touched_.add(tally.touched);
  }
  return touched_;
}

std::string GridImpl::describe_waiting() const {
  constexpr int kMost = 4;
  std::string out;
  int shown = 0;
  for (const auto& block : blocks_) {
    for (int w = 0; block->in_use_ && w < block->warp_count() && shown < kMost; ++w) {
      if (!block->warps_[static_cast<size_t>(w)]->finished()) {
        out += (out.empty() ? "" : "; ") + block->warps_[static_cast<size_t>(w)]->describe();
        ++shown;
      }
    }
  }
  return out;
}

}  // namespace hpml::sim::exec
