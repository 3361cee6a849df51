// One quantum of simulated time (lookahead of conservative parallel simulation: Chandy and Misra, Distributed
// Simulation, IEEE TSE 1979): SMs and L2 slices side by side, then what they have sent each other.
#include <algorithm>
#include <utility>

#include "simulator/timing/gpu/cycle_engine.hpp"

namespace hpml::sim::timing {

// The next quantum: so many cycles that nothing from outside reaches an SM in them. SMs go through it one by one, each
// as far as its next instruction that takes turns; then all of these are executed, and they go on. Slices and SMs touch
// nothing of each other; packets change sides at the end. So nothing depends on which of them was simulated first.
void CycleEngine::advance() {
  end_ = now_ + quantum_;
  last_ = now_;
  due_.clear();
  for (size_t i = 0; i < sms_.size(); ++i) {
    ticked_[i] = {.last = now_, .next = sm_wake_[i]};
    if (sm_wake_[i] < end_) {
      due_.push_back(i);
    }
  }
  served_ = false;
  advancing_ = true;
  do {
    run_sms();
  } while (take_turns());
  advancing_ = false;
  finish_sms();
  pass_cluster_barriers();
  for (const auto& [address, bytes] : written_) {
    memory_.place(address, bytes);
  }
  written_.clear();
  move_packets();
}

// While a kernel runs, a fault brings pages: L2 has them when the quantum ends.
void CycleEngine::memory_written(uint64_t address, uint64_t bytes) {
  if (advancing_) {
    written_.emplace_back(address, bytes);
  } else {
    memory_.place(address, bytes);
  }
}

// Side by side, unless there are fewer than make up for the wait.
void CycleEngine::run_sms() {
  constexpr size_t kLeast = 4;
  if (team_ == nullptr || due_.size() < kLeast) {
    run_slices();
    for (const size_t i : due_) {
      run_sm(i);
    }
    return;
  }
  team_->run(run_share_);
}

void CycleEngine::run_slices() {
  if (!std::exchange(served_, true)) {
    memory_.serve(now_, end_);
  }
}

void CycleEngine::run_sm(size_t i) {
  Sm& sm = *sms_[i];
  Ticked& ticked = ticked_[i];
  for (; ticked.next < end_ && !sm.has_trapped(); ++ticked.ticks) {
    ticked.last = ticked.next;
    sm.tick(ticked.last);
    if (sm.waits_for_turn()) {
      ticked.waits_for_turn = true;
      return;
    }
    ticked.next = later(sm.next_event(), ticked.last + 1);
  }
}

// Every SM that waits for it has one turn, the earliest first. False: none waited.
bool CycleEngine::take_turns() {
  waiting_.clear();
  for (const size_t i : due_) {
    if (ticked_[i].waits_for_turn) {
      waiting_.push_back(i);
    }
  }
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [this](size_t a, size_t b) { return ticked_[a].last < ticked_[b].last; });
  const Cycle begin = now_;
  for (size_t at = 0; at < waiting_.size() && !trapped(); ++at) {
    const size_t i = waiting_[at];
    now_ = ticked_[i].last;  // what a clock shows
    sms_[i]->finish_tick(now_);
    ticked_[i].next = later(sms_[i]->next_event(), now_ + 1);
    ticked_[i].waits_for_turn = false;
  }
  now_ = begin;
  return !waiting_.empty() && !trapped();
}

void CycleEngine::finish_sms() {
  uint64_t ticks = 0;
  for (const size_t i : due_) {
    const Ticked& ticked = ticked_[i];
    last_ = later(last_, ticked.last);
    ticks = std::max(ticks, ticked.ticks);
    sm_wake_[i] = ticked.next;
    if (!memory_.port(static_cast<int>(i)).out.empty()) {
      memory_.sent(static_cast<int>(i));
    }
  }
  turns_ += ticks;
  retire_finished();
}

void CycleEngine::move_packets() {
  memory_.move(now_, end_);
  last_ = later(last_, memory_.last_event());
  memory_.take_receivers([&](size_t i) { wake(i, later(memory_.port(static_cast<int>(i)).in.next_ready(), end_)); });
  memory_.take_relieved([&](size_t i) { wake(i, end_); });
}

// The earliest first: whoever is, gets the next block.
void CycleEngine::retire_finished() {
  finished_.clear();
  for (const size_t i : due_) {
    for (const Sm::Finished& finished : sms_[i]->take_finished()) {
      grid_->retire(finished.handle);
      finished_.push_back({static_cast<int>(i), finished.at + 1});
    }
  }
  std::stable_sort(finished_.begin(), finished_.end(),
                   [](const Place& a, const Place& b) { return a.since < b.since; });
  for (const Place& place : finished_) {
    free_place(static_cast<size_t>(place.sm), place.since);
  }
}

void CycleEngine::retire_finished(size_t i) {
  for (const Sm::Finished& finished : sms_[i]->take_finished()) {
    grid_->retire(finished.handle);
    free_place(i, now_);
  }
}

void CycleEngine::wake(size_t sm, Cycle when) { sm_wake_[sm] = earlier(sm_wake_[sm], when); }

Cycle CycleEngine::next_move() const {
  return earlier(memory_.next_event(), *std::min_element(sm_wake_.begin(), sm_wake_.end()));
}

Cycle CycleEngine::next_event() const {
  Cycle next = next_move();
  if (blocks_left_ && !free_.empty() && !no_places_) {
    next = earlier(next, whole(next_place_));
  }
  return next;
}

}  // namespace hpml::sim::timing
