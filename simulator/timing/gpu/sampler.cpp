#include "simulator/timing/gpu/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace hpml::sim::timing {

namespace {

// A sampling unit gives every resident warp so many instructions, within these parts of the first one. Where warps
// mostly wait for memory, its queues have to fill before the flow is steady again.
constexpr uint64_t kUnitPerWarp = 75, kUnitOfMemory = 300;
constexpr double kMostlyMemory = 0.25;  // of the warps' cycles
constexpr uint64_t kLeastPart = 64, kMostPart = 2;
constexpr uint64_t kTurnsPart = 16;
constexpr uint64_t kWarmingPart = 3;   // before it a third as much
constexpr uint64_t kEffort = 2;        // all sampling units together, in first parts
constexpr double kFastForward = 0.75;  // of what has been executed
constexpr double kShort = 0.9;         // of the first part: a rest that is timed whole
constexpr double kManySectors = 4.0;   // per instruction

constexpr int kAlike = 4;  // SMs whose warps differ by less than this part

uint64_t limit(uint64_t whole, uint64_t part) {
  return whole == 0 ? ~uint64_t{0} : std::max<uint64_t>(whole / part, 1);
}

bool waits_for_memory(const ModelCounters& counters) {
  const auto& stalls = counters.stall_cycles;
  const double all = static_cast<double>(std::accumulate(stalls.begin(), stalls.end(), uint64_t{0}));
  const auto of = [&](Stall stall) { return static_cast<double>(stalls[static_cast<size_t>(stall)]); };
  return of(Stall::long_scoreboard) + of(Stall::lg_throttle) > kMostlyMemory * all;
}

}  // namespace

Sampler::Limits Sampler::half_of_first() const {
  return {limit(options_.sample_after, 2), limit(options_.sample_after_turns, 2)};
}

Sampler::Limits Sampler::sampling_unit(int resident_warps) const {
  const uint64_t all = options_.sample_after;
  const uint64_t per_warp = waits_for_memory(parts_.back().stretch.counters) ? kUnitOfMemory : kUnitPerWarp;
  const uint64_t steps = static_cast<uint64_t>(std::max(resident_warps, 1)) * per_warp;
  return {all == 0 ? limit(0, 1) : std::clamp(steps, limit(all, kLeastPart), limit(all, kMostPart)),
          limit(options_.sample_after_turns, kTurnsPart)};
}

Sampler::Limits Sampler::detailed_warming(int resident_warps) const {
  const Limits all = sampling_unit(resident_warps);
  return {limit(all.steps, kWarmingPart), limit(all.turns, kWarmingPart)};
}

bool Sampler::spent() const {
  const auto over = [](double done, uint64_t first) {
    return first != 0 && done > static_cast<double>(kEffort + 1) * static_cast<double>(first);
  };
  return over(timed_steps(), options_.sample_after) || over(static_cast<double>(turns()), options_.sample_after_turns);
}

bool Sampler::rest_is_short(double executed, double done) const {
  return executed * (1 - done) <= kShort * static_cast<double>(options_.sample_after) * done;
}

Sampler::Limits Sampler::rest() const {
  return {limit(options_.sample_after, 1), limit(options_.sample_after_turns, 1)};
}

double Sampler::fast_forward_after(double executed) { return kFastForward * executed; }

void Sampler::timed(const Stretch& stretch) {
  Part& part = parts_.emplace_back();
  part.stretch = stretch;
  part.stretch.steps = std::max(stretch.steps, 1.0);  // who only waits has a rate, too
}

void Sampler::fast_forwarded(double steps, double cycles, bool changed) {
  fast_forwards_.push_back({parts_.size() - 1, steps});
  parts_.back().skipped_steps += steps;
  parts_.back().skipped_cycles += cycles;
  parts_.back().changed = changed;
}

// What began differently is taken as it is; what goes on as before is not yet in step.
void Sampler::warmed(const Stretch& stretch) {
  Part& before = parts_.back();
  before.skipped_steps += stretch.steps;
  before.skipped_cycles += before.changed || !stretch.steady ? stretch.cycles : stretch.steps / rate();
}

double Sampler::rate() const { return parts_.back().stretch.steps / parts_.back().stretch.cycles; }

// What was fast-forwarded between two steady stretches goes at the mean of their cycles per instruction.
double Sampler::cycles() const {
  double sum = 0;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const Stretch& here = parts_[i].stretch;
    double correction = 1;
    if (const double part = like_next(i); part > 0) {
      const Stretch& next = parts_[i + 1].stretch;
      correction += part * (next.cycles / next.steps * here.steps / here.cycles - 1);
    }
    sum += here.cycles + parts_[i].skipped_cycles * correction;
  }
  return sum;
}

uint64_t Sampler::turns() const {
  return std::accumulate(parts_.begin(), parts_.end(), uint64_t{0},
                         [](uint64_t sum, const Part& part) { return sum + part.stretch.turns; });
}

double Sampler::timed_steps() const {
  return std::accumulate(parts_.begin(), parts_.end(), 0.0,
                         [](double sum, const Part& part) { return sum + part.stretch.steps; });
}

// Each stretch stands for itself and for its part of what was fast-forwarded beside it.
ModelCounters Sampler::counters(const Accesses& all) const {
  ModelCounters sum;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    double steps = part.stretch.steps + part.skipped_steps * (1 - like_next(i));
    if (i > 0) {
      steps += parts_[i - 1].skipped_steps * like_next(i - 1);
    }
    ModelCounters scaled = part.stretch.counters;
    scaled.scale(steps / part.stretch.steps);
    sum.add(scaled);
  }
  static_cast<TrafficCounters&>(sum) = traffic(all);
  return sum;
}

// The same by segments: what a stretch asks of memory may come in the next one. And a stretch may have more loads than
// the rest, or none of the stores at the end of a block, so that the accesses of the whole launch decide.
TrafficCounters Sampler::traffic(const Accesses& all) const {
  ModelCounters sum;
  Accesses accesses;
  for (size_t i = 0; i < segments_.size(); ++i) {
    const Segment& segment = segments_[i];
    double steps = segment.steps;
    if (i < fast_forwards_.size()) {
      steps += fast_forwards_[i].steps * (1 - like_next(fast_forwards_[i].part));
    }
    if (i > 0) {
      steps += fast_forwards_[i - 1].steps * like_next(fast_forwards_[i - 1].part);
    }
    const double factor = segment.steps > 0 ? steps / segment.steps : 1;
    ModelCounters scaled = segment.counters;
    scaled.scale(factor);
    sum.add(scaled);
    accesses.add(segment.accesses, factor);
  }
  extrapolate(sum, accesses, all);
  return sum;
}

void SmRates::add(int resident_warps, double instructions, double cycles) {
  if (resident_warps > 0 && instructions > 0) {
    Kind& kind = kinds_[resident_warps];
    kind.instructions += instructions;
    kind.cycles += cycles;
  }
}

double SmRates::of(int resident_warps) const {
  Kind like, nearest;
  int distance = std::numeric_limits<int>::max();
  for (const auto& [warps, kind] : kinds_) {
    const int here = std::abs(warps - resident_warps);
    if (here <= resident_warps / kAlike) {
      like.instructions += kind.instructions;
      like.cycles += kind.cycles;
    }
    if (here < distance) {
      distance = here;
      nearest = kind;
    }
  }
  const Kind& kind = like.cycles > 0 ? like : nearest;
  return kind.cycles > 0 ? kind.instructions / kind.cycles : 1;
}

MixWatch::Mix MixWatch::mix(const exec::Counters& from, const exec::Counters& to) {
  Mix out{};
  const auto steps = static_cast<double>(to.warp_instructions - from.warp_instructions);
  if (steps == 0) {
    return out;
  }
  for (size_t i = 0; i < isa::kLatCount; ++i) {
    out[i] = static_cast<double>(to.lat_instructions[i] - from.lat_instructions[i]) / steps;
  }
  out.back() = static_cast<double>(to.global_sectors() - from.global_sectors()) / steps / kManySectors;
  return out;
}

double MixWatch::difference(const exec::Counters& counters) const {
  const Mix now = mix(start_, counters);
  double sum = 0;
  for (size_t i = 0; i < now.size(); ++i) {
    sum += std::abs(now[i] - known_[i]);
  }
  return std::min(1.0, sum / 2);
}

}  // namespace hpml::sim::timing
