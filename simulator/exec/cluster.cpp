// Blocks of one cluster: the barrier they share, and the way from one to the shared memory of another.
#include <fmt/format.h>

#include <bit>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {

// What an address in the shared window of the cluster names: the block, by rank, if any.
uint64_t rank_field(uint64_t address) { return address >> isa::kSharedRankShift; }

}  // namespace

// --- barrier.cluster (PTX ISA 9.0, 9.7.13.4): threads that have exited count as arrived ---

void WarpImpl::cluster_arrive(LaneMask active) {
  if ((active & cluster_arrived_) != 0) {
    return fail(TrapKind::illegal_instruction, "a thread arrives twice at barrier.cluster without a wait in between",
                std::countr_zero(active & cluster_arrived_));
  }
  cluster_arrived_ |= active;
  ++groups_[static_cast<size_t>(current_)].pc;
  arrive_if_joined();
  block_->cluster_gains(lane_count(active));
}

// Lanes whose arrival is still counted wait for the others; the phase of all others is over.
void WarpImpl::cluster_wait(LaneMask active) {
  Group& g = groups_[static_cast<size_t>(current_)];
  if ((active & cluster_arrived_) == 0) {
    if (Observer* observer = grid_->services_.observer) {  // the barrier has opened before: now this group knows
      const ObservedGroup passing = observed_group(g);
      observer->barrier_opens(block_->handle_, static_cast<int>(kClusterBarrier), {&passing, 1}, false);
    }
    ++g.pc;
    arrive_if_joined();
    return;
  }
  g.wait = Wait::block_barrier;
  g.sync_mask = kClusterBarrier;
  g.sync_active = active;
  choose_group();
}

// Those of `lanes` that have not arrived do so by leaving.
void WarpImpl::leave_cluster(LaneMask lanes) {
  const LaneMask left = lanes & ~cluster_arrived_;
  cluster_arrived_ &= ~lanes;
  if (left != 0) {
    block_->cluster_gains(lane_count(left));
  }
}

bool WarpImpl::waits_for_cluster() const {
  for (const Group& g : groups_) {
    if (g.wait == Wait::block_barrier && g.sync_mask == kClusterBarrier) {
      return true;
    }
  }
  return false;
}

void BlockImpl::cluster_gains(unsigned threads) {
  const std::shared_ptr<Cluster> cluster = cluster_;
  cluster->missing -= threads;
  if (cluster->missing != 0) {
    return;
  }
  for (const BlockImpl* block : cluster->blocks) {
    for (int w = 0; block != nullptr && w < block->warp_count_; ++w) {
      WarpImpl& warp = *block->warps_[static_cast<size_t>(w)];
      warp.cluster_arrived_ = 0;
      cluster->missing += static_cast<uint64_t>(std::popcount(warp.live()));
    }
  }
  for (BlockImpl* block : cluster->blocks) {
    if (block != nullptr && cluster->missing != 0) {  // else everybody has left
      block->cluster_opens();
    }
  }
}

void BlockImpl::cluster_opens() {
  if (grid_->services_.observer != nullptr) {
    std::vector<ObservedGroup> waiting;
    for (int w = 0; w < warp_count_; ++w) {
      warps_[static_cast<size_t>(w)]->append_waiting(waiting);
    }
    std::erase_if(waiting,
                  [](const ObservedGroup& group) { return group.barrier != static_cast<int>(kClusterBarrier); });
    grid_->services_.observer->barrier_opens(handle_, static_cast<int>(kClusterBarrier), waiting, false);
  }
  uint64_t warps = 0;
  for (int w = 0; w < warp_count_; ++w) {
    if (warps_[static_cast<size_t>(w)]->waits_for_cluster()) {
      warps_[static_cast<size_t>(w)]->release_barrier(static_cast<int>(kClusterBarrier));
      warps |= uint64_t{1} << w;
    }
  }
  if (grid_->cluster_blocks() == 1) {
    released_ |= warps;
  } else {
    grid_->cluster_passed_.push_back({handle_, warps});
  }
}

// --- shared memory ---

// The address of the block's own memory as every block of the cluster may use it. Without explicit clusters there is
// nobody to give it to.
uint64_t WarpImpl::in_cluster(uint64_t own) const {
  const bool named = grid_->launch_.explicit_cluster && rank_field(own) == 0;
  return named ? own | uint64_t{block_->rank_ + 1} << isa::kSharedRankShift : own;
}

uint64_t WarpImpl::in_block(uint64_t address) const {
  return rank_field(address) == uint64_t{block_->rank_} + 1 ? address & isa::kSharedOffsetMask : address;
}

uint32_t WarpImpl::cta_rank(uint64_t address) const {
  const uint64_t field = rank_field(address & 0xffff'ffff);
  return field == 0 ? block_->rank_ : static_cast<uint32_t>(field - 1);
}

// The same place in the memory of the block of this rank.
uint64_t WarpImpl::at_rank(uint64_t address, uint32_t rank) {
  return (address & isa::kSharedOffsetMask) | uint64_t{rank + 1} << isa::kSharedRankShift;
}

// Whose memory it is; null, with the reason: nobody's who is there.
BlockImpl* WarpImpl::owner_of(uint64_t address, std::string& why) const {
  const std::vector<BlockImpl*>& blocks = block_->cluster_->blocks;
  const uint64_t field = rank_field(address);
  if (field == 0) {
    return block_;
  }
  if (field > blocks.size()) {
    why = fmt::format("the shared memory of block rank {}: the cluster has {} {}", field - 1, blocks.size(),
                      blocks.size() == 1 ? "block" : "blocks");
    return nullptr;
  }
  BlockImpl* const owner = blocks[field - 1];
  if (owner == nullptr || owner->finished()) {
    why = fmt::format(
        "the shared memory of block rank {}, which has ended: it must wait for those that use its memory "
        "(cluster.sync() before it returns)",
        field - 1);
    return nullptr;
  }
  return owner;
}

std::byte* WarpImpl::shared_at(uint64_t address, uint64_t bytes) const {
  std::string why;
  BlockImpl* const owner = owner_of(address, why);
  const uint64_t offset = address & isa::kSharedOffsetMask;
  return owner != nullptr && offset + bytes <= owner->shared_.size() ? owner->shared_.data() + offset : nullptr;
}

// Whose memory each lane of the access in address_ means. Lanes that mean nobody's are taken out of `active` where an
// observer holds them back. False: the access has trapped.
bool WarpImpl::find_owners(const ir::Inst& inst, LaneMask& active, Owners& owner, Places& place) {
  const bool own_only = inst.mods.space == isa::Space::shared && !inst.mods.of_cluster;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    BlockImpl*& block = owner[static_cast<size_t>(lane)];
    std::string why;
    block = owner_of(address_[static_cast<size_t>(lane)], why);
    if (block != nullptr && block != block_ && own_only) {
      why = "the shared memory of another block by an instruction for the own one (.shared, not .shared::cluster)";
      block = nullptr;
    }
    if (block != nullptr) {
      continue;
    }
    const SharedMemory none;
    if (grid_->services_.observer != nullptr && observed(inst, 1u << lane, isa::Space::shared, place, &none) == 0) {
      active &= ~(1u << lane);
      continue;
    }
    fail(TrapKind::shared_out_of_bounds,
         fmt::format("{}-byte {} {}", access_bytes(inst), is_write(inst) ? "write to" : "read of", why), lane);
    return false;
  }
  return true;
}

// The access in address_, some of whose lanes name a block. Leaves offsets there.
bool WarpImpl::cluster_places(const ir::Inst& inst, LaneMask active, Effects* effects, Places& place) {
  Owners owner = {};
  if (!find_owners(inst, active, owner, place)) {
    return false;
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    address_.set(lane, address_[lane] & isa::kSharedOffsetMask);
  }
  if (active != 0 && !aligned(inst, active, isa::Space::shared)) {
    return false;
  }
  LaneMask done = 0, remote = 0;
  for (LaneMask rest = active; rest != 0;) {
    BlockImpl& block = *owner[static_cast<size_t>(std::countr_zero(rest))];
    LaneMask lanes = 0;
    for (LaneMask same = rest; same != 0; same &= same - 1) {
      const int lane = std::countr_zero(same);
      lanes |= owner[static_cast<size_t>(lane)] == &block ? 1u << lane : 0u;
    }
    rest &= ~lanes;
    if (grid_->services_.observer != nullptr) {
      const SharedMemory theirs{block.handle_, block.shared_};
      lanes = observed(inst, lanes, isa::Space::shared, place, &theirs);
    }
    if (!places_in(block, inst, lanes, place)) {
      return false;
    }
    done |= lanes;
    remote |= &block != block_ ? lanes : 0u;
  }
  if (done != 0) {
    count_shared(inst, done, effects);
  }
  if (done != 0 && effects != nullptr) {
    effects->access.remote = remote;
  }
  return true;
}

}  // namespace hpml::sim::exec
