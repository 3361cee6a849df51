// The barrier that the blocks of a cluster share (PTX ISA 9.0, 9.7.13.4): threads that have exited count as arrived.
#include <bit>

#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

void WarpCollectives::cluster_arrive(LaneMask active) {
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
void WarpCollectives::cluster_wait(LaneMask active) {
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
void WarpCollectives::leave_cluster(LaneMask lanes) {
  const LaneMask left = lanes & ~cluster_arrived_;
  cluster_arrived_ &= ~lanes;
  if (left != 0) {
    block_->cluster_gains(lane_count(left));
  }
}

bool WarpCollectives::waits_for_cluster() const {
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

}  // namespace hpml::sim::exec
