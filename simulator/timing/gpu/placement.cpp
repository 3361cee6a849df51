// The grid scheduler: where blocks go. The blocks of a cluster start together, on SMs of one GPC (CUDA C++ Programming
// Guide, "Thread Block Clusters").
#include <algorithm>

#include "simulator/timing/gpu/cycle_engine.hpp"

namespace hpml::sim::timing {

// The first places, each on another SM, of the first GPC that has enough. Without clusters: the first place.
bool CycleEngine::choose_places() {
  const size_t wanted = grid_->cluster_blocks();
  if (wanted == 1) {
    places_.assign(1, free_.front());
    return true;
  }
  std::vector<std::vector<Place>> by_gpc(spec_.cluster.gpc_sms.size());
  for (const Place& place : free_) {
    std::vector<Place>& free = by_gpc[spec_.cluster.gpc_of(static_cast<uint32_t>(place.sm))];
    if (std::ranges::any_of(free, [&](const Place& other) { return other.sm == place.sm; })) {
      continue;
    }
    free.push_back(place);
    if (free.size() == wanted) {
      places_ = std::move(free);
      return true;
    }
  }
  return false;
}

void CycleEngine::free_place(size_t sm, Cycle since) {
  free_.push_back({static_cast<int>(sm), since});
  no_places_ = false;
}

void CycleEngine::start_cluster(Cycle since) {
  std::vector<int> handles;
  for (const Place& place : places_) {
    handles.push_back(grid_->start_block(place.sm));
    free_.erase(std::find(free_.begin(), free_.end(), place));
    sm_of_.resize(std::max(sm_of_.size(), static_cast<size_t>(handles.back()) + 1));
    sm_of_[static_cast<size_t>(handles.back())] = place.sm;
  }
  for (size_t i = 0; i < places_.size(); ++i) {
    const auto sm = static_cast<size_t>(places_[i].sm);
    sms_[sm]->place(grid_->block(handles[i]), handles[i], since, now_);
    retire_finished(sm);
    wake(sm, now_);
  }
}

// Those whose time has come, one after the other. It may have come in the quantum that is over: a block starts later
// than that.
void CycleEngine::place_blocks() {
  while (blocks_left_ && !free_.empty() && !no_places_ && next_place_ < fine(now_ + 1)) {
    if (grid_->blocks_started() == grid_->block_count()) {
      blocks_left_ = false;
      return;
    }
    if (!choose_places()) {
      no_places_ = true;
      return;
    }
    for (const Place& place : places_) {
      next_place_ = std::max(next_place_, fine(place.since));
    }
    const Cycle since = whole(next_place_);
    next_place_ += to_fine(spec_.core.block_place_cycles * static_cast<double>(places_.size()));
    start_cluster(since);
  }
}

// Barriers of clusters that have opened in this cycle let warps of several SMs go on.
void CycleEngine::pass_cluster_barriers() {
  for (auto passed = grid_->take_cluster_passed(); !passed.empty(); passed = grid_->take_cluster_passed()) {
    for (const exec::Grid::ClusterPassed& block : passed) {
      const auto sm = static_cast<size_t>(sm_of_[static_cast<size_t>(block.handle)]);
      sms_[sm]->cluster_passed(block.handle, block.warps, now_);
      retire_finished(sm);
      wake(sm, later(sms_[sm]->next_event(), now_ + 1));
    }
  }
}

}  // namespace hpml::sim::timing
