#pragma once
// What the warps of a sub-partition wait for, kept from one evaluation to the next: most of them wait for the same as
// before. A warp is unknown, waits for something of its own (operands, a barrier) until a cycle, or could issue if its
// pipe or queue takes it.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "simulator/timing/clock/cycle.hpp"
#include "simulator/timing/counters.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

// What an instruction issues to: a pipe (its number), one of the load/store unit's queues, or nothing that could be
// full.
using IssueTarget = uint8_t;
inline constexpr IssueTarget kGlobalQueue = kPipeCount, kSharedQueue = kPipeCount + 1, kNoTarget = kPipeCount + 2;
inline constexpr size_t kIssueTargets = kPipeCount + 3;

using WarpsByReason = std::array<uint8_t, kStallCount>;

// Warp-cycles by reason: small sums, which are quick to add to, on their way to the large ones.
class WarpCycles {
 public:
  void add(const WarpsByReason& warps, uint64_t cycles, std::array<uint64_t, kStallCount>& sums) {
    if (cycles_ + cycles > kMost) {
      flush(sums);
    }
    if (cycles > kMost) {
      for (size_t i = 0; i < sums.size(); ++i) {
        sums[i] += warps[i] * cycles;
      }
      return;
    }
    cycles_ += cycles;
    for (size_t i = 0; i < small_.size(); ++i) {
      small_[i] = static_cast<uint16_t>(small_[i] + warps[i] * static_cast<uint16_t>(cycles));
    }
  }
  void flush(std::array<uint64_t, kStallCount>& sums) {
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i] += small_[i];
    }
    small_.fill(0);
    cycles_ = 0;
  }

 private:
  static constexpr uint64_t kMost = 2000;  // times 32 warps is below 2^16
  std::array<uint16_t, kStallCount> small_{};
  uint64_t cycles_ = 0;
};

class IssueWaits {
 public:
  // Something has changed the warp.
  void forget(int warp) {
    const uint32_t bit = uint32_t{1} << warp;
    if ((ready_ & bit) != 0) {
      ready_for_[place_[static_cast<size_t>(warp)]] &= ~bit;
    } else if ((known_ & bit) != 0) {
      --waiting_[place_[static_cast<size_t>(warp)]];
    }
    known_ &= ~bit;
    ready_ &= ~bit;
  }
  // Forgets those whose wait is over.
  void expire(Cycle now) {
    if (soonest_ > now) {
      return;
    }
    soonest_ = kNever;
    for (uint32_t rest = known_ & ~ready_; rest != 0; rest &= rest - 1) {
      const int warp = std::countr_zero(rest);
      if (const Cycle until = until_[static_cast<size_t>(warp)]; until > now) {
        soonest_ = earlier(soonest_, until);
      } else {
        forget(warp);
      }
    }
  }
  uint32_t unknown(uint32_t resident) const { return resident & ~known_; }

  // Of an unknown warp. kNever: until forget().
  void waits(int warp, Stall reason, Cycle until) {
    place_[static_cast<size_t>(warp)] = static_cast<uint8_t>(reason);
    until_[static_cast<size_t>(warp)] = until;
    soonest_ = earlier(soonest_, until);
    known_ |= uint32_t{1} << warp;
    ++waiting_[static_cast<size_t>(reason)];
  }
  void is_ready(int warp, IssueTarget target) {
    place_[static_cast<size_t>(warp)] = target;
    known_ |= uint32_t{1} << warp;
    ready_ |= uint32_t{1} << warp;
    ready_for_[target] |= uint32_t{1} << warp;
  }

  // Warps by what they wait for of their own.
  const WarpsByReason& waiting() const { return waiting_; }
  Cycle soonest() const { return soonest_; }  // no wait ends before
  uint32_t any_ready() const { return ready_; }
  uint32_t ready_for(IssueTarget target) const { return ready_for_[target]; }

 private:
  uint32_t known_ = 0, ready_ = 0;
  Cycle soonest_ = kNever;
  std::array<uint32_t, kIssueTargets> ready_for_{};
  WarpsByReason waiting_{};
  std::array<uint8_t, 32> place_{};  // by warp: its reason, or its target when it is ready
  std::array<Cycle, 32> until_{};
};

}  // namespace hpml::sim::timing
