// The grid scheduler: where blocks go. The blocks of a cluster start together, on SMs of one GPC (CUDA C++ Programming
// Guide, "Thread Block Clusters").
#include <algorithm>

#include "simulator/timing/engine/cycle_engine.hpp"

namespace hpml::sim::timing {

// The first places of the first GPC that has enough. Without clusters: the first place.
bool CycleEngine::choose_places() {
  const size_t wanted = grid_->cluster_blocks();
  if (wanted == 1) {
    places_.assign(1, free_sms_.front());
    return true;
  }
  std::vector<std::vector<int>> by_gpc(spec_.cluster.gpcs);
  for (const int sm : free_sms_) {
    std::vector<int>& free = by_gpc[spec_.cluster.gpc_of(static_cast<uint32_t>(sm), spec_.topology.sms)];
    free.push_back(sm);
    if (free.size() == wanted) {
      places_ = std::move(free);
      return true;
    }
  }
  return false;
}

void CycleEngine::free_place(size_t sm) {
  free_sms_.push_back(static_cast<int>(sm));
  no_places_ = false;
}

void CycleEngine::start_cluster() {
  std::vector<int> handles;
  for (const int sm : places_) {
    handles.push_back(grid_->start_block(sm));
    free_sms_.erase(std::find(free_sms_.begin(), free_sms_.end(), sm));
    sm_of_.resize(std::max(sm_of_.size(), static_cast<size_t>(handles.back()) + 1));
    sm_of_[static_cast<size_t>(handles.back())] = sm;
  }
  for (size_t i = 0; i < places_.size(); ++i) {
    const auto sm = static_cast<size_t>(places_[i]);
    sms_[sm]->place(grid_->block(handles[i]), handles[i], now_);
    retire_finished(sm);
    wake(sm, now_);
  }
}

void CycleEngine::place_blocks() {
  while (blocks_left_ && !free_sms_.empty() && !no_places_ && next_place_ < fine(now_ + 1)) {
    if (grid_->blocks_started() == grid_->block_count()) {
      blocks_left_ = false;
      return;
    }
    if (!choose_places()) {
      no_places_ = true;
      return;
    }
    next_place_ = std::max(next_place_, fine(now_)) +
                  to_fine(spec_.core.block_place_cycles * static_cast<double>(places_.size()));
    start_cluster();
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
