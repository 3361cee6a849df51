#pragma once
// Which parts of a long launch are timed, and what the whole of it took: systematic sampling with warmed caches
// (Wunderlich et al., SMARTS, ISCA 2003). The first part is timed completely. After it, the launch is fast-forwarded
// between sampling units, farther each time, so that a launch of any length costs a bounded effort.
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "simulator/exec/counters.hpp"
#include "simulator/timing/accesses.hpp"
#include "simulator/timing/counters.hpp"
#include "simulator/timing/engine.hpp"

namespace hpml::sim::timing {

// What a timed stretch did.
struct Stretch {
  double steps = 0;  // warp instructions
  double cycles = 0;
  uint64_t turns = 0;  // cycles in which something happened to model
  bool steady = true;  // it did not end the launch, and at its end there were about as many warps as at its start
  ModelCounters counters;
};

// All that was simulated in detail between two fast-forwards, until what was on its way had arrived: stretches, and the
// warming before them.
struct Segment {
  double steps = 0;
  ModelCounters counters;
  Accesses accesses;
};

// Part of the resident warps: with fewer left, a launch has begun something else.
inline constexpr double kFewer = 0.8;

class Sampler {
 public:
  explicit Sampler(const RunOptions& options) : options_(options) {}

  // How long to time; the first part in two stretches, so that what it says of the rest is free of the start.
  struct Limits {
    uint64_t steps = ~uint64_t{0}, turns = ~uint64_t{0};
  };
  Limits half_of_first() const;
  Limits sampling_unit(int resident_warps) const;
  // Before a sampling unit: timed but not measured, because pipes and queues are empty after a fast-forward.
  Limits detailed_warming(int resident_warps) const;
  bool spent() const;  // no further sampling unit: they have cost what they may
  // After so many instructions and that part of the launch: is the rest so short that a fast-forward would save little?
  bool rest_is_short(double executed, double done) const;
  Limits rest() const;  // what a rest that was thought to be short may take

  // Instructions to fast-forward over, after so many executed.
  static double fast_forward_after(double executed);

  void timed(const Stretch& stretch);
  // Before each fast-forward, and at the end.
  void ends(const Segment& segment) { segments_.push_back(segment); }
  // A fast-forward at the rate of the last stretch, estimated to have taken `cycles`. `changed`: it ended because the
  // kernel began to do something else, so that the next stretch says nothing of it.
  void fast_forwarded(double steps, double cycles, bool changed);
  void warmed(const Stretch& stretch);  // detailed_warming() was done

  double rate() const;  // instructions per cycle of the last stretch
  // Of all that was reported.
  double cycles() const;
  double timed_steps() const;
  uint64_t turns() const;
  ModelCounters counters(const Accesses& all) const;  // of the whole launch, which made all these accesses

 private:
  struct Part {
    Stretch stretch;
    double skipped_steps = 0, skipped_cycles = 0;  // after it
    bool changed = false;
  };
  // Of the fast-forward after a part: how much of it is like the next stretch, if that is steady; the rest is like the
  // one before it.
  double like_next(size_t part) const {
    return part + 1 < parts_.size() && !parts_[part].changed && parts_[part + 1].stretch.steady ? 0.5 : 0;
  }

  struct FastForward {  // between two segments
    size_t part = 0;    // before it
    double steps = 0;
  };
  TrafficCounters traffic(const Accesses& all) const;

  RunOptions options_;
  std::vector<Part> parts_;
  std::vector<Segment> segments_;
  std::vector<FastForward> fast_forwards_;
};

// How fast SMs are, by the warps they hold: what one SM did in a short unit says little, what all of its kind did
// more.
class SmRates {
 public:
  void add(int resident_warps, double instructions, double cycles);
  // Instructions per cycle of those with about so many warps, or with the number nearest to it; 1 if there are none
  // that have worked.
  double of(int resident_warps) const;

 private:
  struct Kind {
    double instructions = 0, cycles = 0;
  };
  std::map<int, Kind> kinds_;  // by resident warps; only who worked
};

// Whether a launch does something else now than before, by the classes of its instructions and their sectors.
class MixWatch {
 public:
  void begin(const exec::Counters& counters) { start_ = counters; }
  void learn(const exec::Counters& counters) { known_ = mix(start_, counters); }
  // 0: the same since begin() as what was learnt; 1: nothing in common.
  double difference(const exec::Counters& counters) const;

 private:
  // The last element: sectors per instruction, as a part of kManySectors.
  using Mix = std::array<double, isa::kLatCount + 1>;
  static Mix mix(const exec::Counters& from, const exec::Counters& to);
  exec::Counters start_;
  Mix known_{};
};

}  // namespace hpml::sim::timing
