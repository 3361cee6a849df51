#include "simulator/timing/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/timing/gpu/cycle_engine.hpp"

namespace hpml::sim::timing {

void CycleEngine::begin(exec::Grid& grid, const BlockNeeds& needs, uint32_t registers) {
  per_sm_ = occupancy(spec_, needs).blocks_per_sm;
  HPML_CHECK(per_sm_ > 0, fmt::format("a block of {} threads does not fit an SM", needs.threads));
  grid_ = &grid;
  blocks_left_ = true;
  now_ = now_ + 1;
  start_ = now_;
  next_place_ = fine(now_);
  memory_.start_kernel(now_);
  deadlock_.clear();
  const uint64_t l1 = l1_bytes(spec_, carveout_bytes(spec_, needs));
  for (auto& sm : sms_) {
    sm->start_kernel(l1, registers, grid.cluster_blocks() > 1, now_);
  }
  // A block that is placed between two quanta starts after the next; those of a cluster meet in every cycle.
  const uint64_t quantum = std::min<uint64_t>(memory_.quantum(), spec_.core.block_start_cycles);
  quantum_ = grid.cluster_blocks() > 1 ? 1 : std::max<uint64_t>(quantum, 1);
  end_ = now_;
  std::fill(sm_wake_.begin(), sm_wake_.end(), kNever);
  no_places_ = false;
  // Breadth first over SMs: the first SM of every TPC, then the second, then again.
  free_.clear();
  for (uint32_t round = 0; round < per_sm_; ++round) {
    for (size_t first = 0; first < 2; ++first) {
      for (size_t sm = first; sm < sms_.size(); sm += 2) {
        free_.push_back({static_cast<int>(sm), now_});
      }
    }
  }
}

uint64_t CycleEngine::steps() const {
  uint64_t total = 0;
  for (const auto& sm : sms_) {
    total += sm->steps();
  }
  return total;
}

// The part of the launch that is over, as far as blocks tell; one that runs is half done.
double CycleEngine::done() const {
  const size_t resident = sms_.size() * per_sm_ - free_.size();
  const auto all = static_cast<double>(grid_->block_count());
  return std::min(1.0, (static_cast<double>(grid_->blocks_finished()) + 0.5 * static_cast<double>(resident)) / all);
}

int CycleEngine::resident_warps() const {
  int total = 0;
  for (const auto& sm : sms_) {
    total += sm->resident_warps();
  }
  return total;
}

CycleEngine::Mark CycleEngine::mark() {
  Mark out{.at = now_, .steps = {}, .active = {}, .resident = {}, .counters = {}, .pace = {}};
  for (auto& sm : sms_) {
    sm->settle(now_);
    out.steps.push_back(sm->steps());
    out.active.push_back(sm->counters().sm_cycles_active);
    out.resident.push_back(sm->resident_warps());
    sm->take_pace(out.pace);
  }
  out.counters = so_far().counters;
  return out;
}

// Since the launch began. Steps and accesses are also those that were fast-forwarded, which the counters do not see.
Segment CycleEngine::so_far() const {
  Segment out{.steps = static_cast<double>(steps()),
              .counters = memory_.counters(),
              .accesses = Accesses::of(grid_->counters())};
  for (const auto& sm : sms_) {
    out.counters.add(sm->counters());
  }
  return out;
}

void CycleEngine::segment_ends(Sampler& sampler) const {
  Segment out = so_far();
  out.steps -= before_segment_.steps;
  out.counters.remove(before_segment_.counters);
  out.accesses.add(before_segment_.accesses, -1);
  sampler.ends(out);
}

// Until one of the limits is reached; false: the launch is over. stretch_ says what it did.
bool CycleEngine::time(const Sampler::Limits& limits) {
  const Mark before = mark();
  const int warps = resident_warps();
  watch_.begin(grid_->counters());
  const uint64_t enough = steps() + std::min(limits.steps, ~uint64_t{0} - steps());
  turns_ = 0;
  bool over = false;
  while (!over && turns_ < limits.turns && steps() < enough) {
    place_blocks();
    advance();
    grid_->check_limits();
    const Cycle next = next_event();
    over = next == kNever || trapped();
    now_ = later(next, end_);
  }
  if (!over) {
    place_blocks();  // those of this quantum are part of it
  }
  if (over) {
    deadlock_ = trapped() || blocks_done() ? "" : describe();
    now_ = later(last_, memory_.written()) + 1;  // a kernel ends when its last store has reached L2, too
  }
  watch_.learn(grid_->counters());
  const Mark after = mark();
  stretch_ = {
      .steps = 0, .cycles = static_cast<double>(after.at - before.at), .turns = turns_, .counters = after.counters};
  stretch_.counters.remove(before.counters);
  stretch_.steady = !over && resident_warps() >= kFewer * warps;
  pace_ = after.pace;
  rates_ = SmRates();
  for (size_t i = 0; i < sms_.size(); ++i) {
    const auto steps = static_cast<double>(after.steps[i] - before.steps[i]);
    stretch_.steps += steps;
    rates_.add(before.resident[i], steps, static_cast<double>(after.active[i] - before.active[i]));
  }
  return !over;
}

RunResult CycleEngine::run(exec::Grid& grid, const BlockNeeds& needs, uint32_t registers, const RunOptions& options) {
  begin(grid, needs, registers);
  team_ = options.threads > 1 ? std::make_unique<Team>(options.threads, grid.shares() + 1) : nullptr;
  Sampler sampler(options);
  before_segment_ = so_far();
  bool goes_on = time(sampler.half_of_first());
  sampler.timed(stretch_);
  if (goes_on) {
    goes_on = time(sampler.half_of_first());
    sampler.timed(stretch_);
  }
  bool sampled = false;
  while (goes_on && !sampler.spent()) {
    if (sampler.rest_is_short(static_cast<double>(grid.counters().warp_instructions), done())) {
      goes_on = time(sampler.rest());
      sampler.timed(stretch_);
      continue;
    }
    sampled = true;
    fast_forward(sampler);
    const int warps = resident_warps();
    goes_on = time(sampler.detailed_warming(warps));
    sampler.warmed(stretch_);
    if (goes_on) {
      goes_on = time(sampler.sampling_unit(warps));
      sampler.timed(stretch_);
    }
  }
  if (goes_on) {
    sampled = true;
    fast_forward_to_end(sampler);
  } else {
    segment_ends(sampler);
  }
  team_.reset();
  RunResult result;
  result.cycles = sampler.cycles();
  result.sampled = sampled;
  result.turns = sampler.turns();
  result.counters = sampler.counters(Accesses::of(grid.counters()));
  result.deadlock = std::move(deadlock_);
  if (sampled) {
    result.sampled_fraction =
        std::min(1.0, sampler.timed_steps() / static_cast<double>(grid.counters().warp_instructions));
  }
  return result;
}

void CycleEngine::attach(const Apertures* apertures) {
  memory_.attach(apertures);
  for (auto& sm : sms_) {
    sm->attach(apertures);
  }
}

void CycleEngine::watch(IssueWatch* watch) {
  for (const auto& sm : sms_) {
    sm->watch(watch, &start_);
  }
}

std::string CycleEngine::describe() const {
  std::string out = fmt::format("nothing can move at cycle {}\n", clock());
  for (const auto& sm : sms_) {
    sm->describe(out);
  }
  memory_.describe(out);
  return out + grid_->describe_waiting();
}

Result<std::unique_ptr<Engine>> Engine::create(const GpuSpec& spec) {
  HPML_TRY(const PickWarp pick, find_policy(spec.core.scheduler));
  return std::unique_ptr<Engine>(std::make_unique<CycleEngine>(spec, pick));
}

}  // namespace hpml::sim::timing
