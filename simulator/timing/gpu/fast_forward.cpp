// A launch between two timed stretches: instructions are executed, caches are warmed and blocks placed; time is
// estimated.
#include <algorithm>
#include <cmath>
#include <utility>

#include "simulator/timing/gpu/cycle_engine.hpp"

namespace hpml::sim::timing {

namespace {

// Instructions of a warp before all others have had as many.
constexpr double kTurn = 64;
constexpr double kLeastWarps = 512;  // for which a sweep over all SMs is worth while
// Functional warming: the caches see the last instructions, several times what fills the largest of them.
constexpr double kWarmed = 8e6;
// Looks at what the kernel does while fast-forwarding; and what makes it another kernel: the part of its instructions
// that is different, of the DRAM's time that it uses more or less.
constexpr double kRounds = 16;
constexpr double kOther = 0.2, kBusier = 0.1;

}  // namespace

// Part of the peak rate of the DRAM, or of the host link, that this traffic in so many cycles uses.
double CycleEngine::memory_use(const ModelCounters& traffic, double cycles) const {
  const auto bytes = [](uint64_t sectors) { return static_cast<double>(sectors * kSectorBytes); };
  const double dram = bytes(traffic.dram_read_sectors + traffic.dram_write_sectors) / spec_.dram_bytes_per_cycle();
  const double link = bytes(traffic.link_read_sectors + traffic.link_write_sectors) / spec_.link_bytes_per_cycle();
  return std::max(dram, link) / cycles;
}

// Every SM executes at the rate that it had in the last timed stretch, until the length of the fast-forward is reached
// or the kernel's instruction mix or memory traffic changes.
void CycleEngine::fast_forward(Sampler& sampler) {
  drain();
  segment_ends(sampler);
  const double length = Sampler::fast_forward_after(static_cast<double>(grid_->counters().warp_instructions));
  const double round = length / kRounds / sampler.rate();
  const double busy = memory_use(stretch_.counters, stretch_.cycles);
  const double fewest = kFewer * resident_warps();
  double steps = 0, cycles = 0;
  bool changed = false;
  ahead_.assign(sms_.size(), 0);
  while (steps < length && !changed && !trapped()) {
    watch_.begin(grid_->counters());
    warming_ = length - steps <= kWarmed;
    const ModelCounters before = memory_.warmed();
    double took = round;
    const double ran = forward_round(took, fewest);
    if (ran == 0) {
      break;
    }
    steps += ran;
    cycles += took;
    now_ = now_ + static_cast<uint64_t>(took);
    ModelCounters traffic = memory_.warmed();
    traffic.remove(before);
    const double busier = memory_use(traffic, took) - busy;
    changed = watch_.difference(grid_->counters()) > kOther || (warming_ && std::abs(busier) > kBusier) ||
              resident_warps() < fewest;
  }
  sampler.fast_forwarded(steps, cycles, changed);
  resume();
  before_segment_ = so_far();
}

// So many cycles on every SM, each at the rate of its like; fewer, when the launch ends or fewer warps are resident
// than `fewest`. Returns what was executed.
double CycleEngine::forward_round(double& cycles, double fewest) {
  const double whole = cycles;
  const double sweep = kTurn * stretch_.cycles / stretch_.steps * std::max<double>(resident_warps(), kLeastWarps);
  double steps = 0;
  for (cycles = 0; cycles < whole && resident_warps() >= fewest && !blocks_done() && !trapped();) {
    double took = std::min(sweep, whole - cycles);
    const double ran = forward_sweep(took);
    cycles += took;
    if (ran == 0) {
      break;
    }
    steps += ran;
  }
  return steps;
}

// The same, SM by SM. New blocks start at its end, so that no SM takes those that another has room for at the same
// time; one that is empty before gets its blocks at once.
double CycleEngine::forward_sweep(double& cycles) {
  double steps = 0, longest = 0;
  for (size_t i = 0; i < sms_.size() && !trapped(); ++i) {
    const double rate = rates_.of(sms_[i]->resident_warps());
    const double share = std::max(0.0, cycles * rate - ahead_[i]);
    double done = 0;
    bool first = true;
    for (uint64_t ran = 1; done < share && ran > 0; done += static_cast<double>(ran)) {
      ran = sms_[i]->fast_forward(static_cast<uint64_t>(share - done) + 1, pace_, warming_ ? &memory_ : nullptr, now_);
      retire_finished(i);
      const auto place =
          std::find_if(free_.begin(), free_.end(), [&](const Place& p) { return p.sm == static_cast<int>(i); });
      if (place != free_.end() && (first || sms_[i]->resident_warps() == 0)) {
        std::iter_swap(free_.begin(), place);
        place_untimed(1);
        first = false;
      }
    }
    longest = std::max(longest, (done + ahead_[i]) / rate);
    ahead_[i] = done < share ? 0 : ahead_[i] + done - cycles * rate;
    steps += done;
  }
  sort_places();
  place_untimed(free_.size());
  cycles = blocks_done() ? longest : cycles;
  return steps;
}

// The first free place of every SM, then the second, and so on.
void CycleEngine::sort_places() {
  std::vector<int> places(sms_.size(), 0);
  std::vector<std::pair<int, Place>> order;
  for (const Place& place : free_) {
    order.emplace_back(places[static_cast<size_t>(place.sm)]++, place);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < order.size(); ++i) {
    free_[i] = order[i].second;
  }
}

void CycleEngine::place_untimed(size_t blocks) {
  for (size_t i = 0; i < blocks && blocks_left_ && !free_.empty(); ++i) {
    next_place_ = fine(now_);
    place_blocks();
  }
}

// No more is issued, until what is on its way has arrived.
void CycleEngine::drain() {
  for (auto& sm : sms_) {
    sm->pause(now_);
  }
  for (Cycle next = now_; next != kNever; next = next_move()) {
    now_ = later(next, end_);
    advance();
  }
  now_ = end_;
}

void CycleEngine::resume() {
  next_place_ = fine(now_);
  grid_->take_cluster_passed();  // every warp that is ready goes on
  for (size_t i = 0; i < sms_.size(); ++i) {
    sms_[i]->resume(now_);
    retire_finished(i);
    if (sms_[i]->resident_warps() > 0) {
      wake(i, now_);
    }
  }
}

// The rest at the rate of the last stretch.
void CycleEngine::fast_forward_to_end(Sampler& sampler) {
  drain();
  segment_ends(sampler);
  const exec::Counters before = grid_->counters();
  grid_->run_rest();
  const exec::Counters after = grid_->counters();
  const auto steps = static_cast<double>(after.warp_instructions - before.warp_instructions);
  sampler.fast_forwarded(steps, steps / sampler.rate(), false);
  memory_.unseen(static_cast<double>(after.global_sectors() - before.global_sectors()));
  now_ = now_ + 1000000;  // what was in flight has long arrived when the next kernel starts
}

}  // namespace hpml::sim::timing
