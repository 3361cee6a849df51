#pragma once
// One DRAM channel: a bus that is busy for every sector, and a latency. Row-buffer locality, turn-around and refresh
// are in three efficiencies, which are fitted to streaming measurements (gpus/*.toml): of reads alone, of writes alone,
// and of both when each was asked for lately. On V100 and A100 every mixture of the two reaches the same 0.88 to 0.90.
// Beside reads, writes gather and leave in bursts, for whose end reads wait: a kernel that reads and writes sees
// latencies that grow with its writes long before the bus is full (measured on an H200: validation/programs/turns.cu).
#include <cstdint>

#include "simulator/timing/clock/cycle.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

class DramChannel {
 public:
  explicit DramChannel(const GpuSpec& spec)
      : burst_cycles_(static_cast<uint64_t>(spec.dram.write_burst_ns * spec.clocks.core_mhz * 1e-3)),
        backlog_(spec.dram.backlog_cycles + burst_cycles_),
        turn_(spec.dram.turn_cycles),
        mixed_cost_(sector_cost(spec, spec.dram.mixed_efficiency)),
        burst_(static_cast<int>(burst_cycles_ * kFine / mixed_cost_)) {
    cost_[kRead] = sector_cost(spec, spec.dram.read_efficiency);
    cost_[kWrite] = sector_cost(spec, spec.dram.write_efficiency);
  }

  // Back-pressure: GpuSpec::dram.backlog_cycles beside a burst of writes, which holds up no hits of L2.
  bool can_send(Cycle now) const { return free_ <= fine(now + backlog_); }
  // When can_send() becomes true.
  Cycle accepts_at() const { return Cycle{free_ / kFine > backlog_ ? free_ / kFine - backlog_ : 0}; }

  // Queues `sectors` sectors; returns the cycles they wait for the bus, from `now`.
  uint64_t read(Cycle now, int sectors) { return occupy(now, kRead, sectors); }
  void write(Cycle now, int sectors) {
    last_[kWrite] = now.value + 1;
    gathered_ += sectors;
    if (gathered_ >= burst_ || !lately(kRead, now)) {
      occupy(now, kWrite, gathered_);
      gathered_ = 0;
    }
  }

 private:
  enum Direction : size_t { kRead, kWrite };
  static uint64_t sector_cost(const GpuSpec& spec, double efficiency) {
    const double bytes_per_cycle = spec.dram_bytes_per_cycle() * efficiency / spec.dram.channels;
    return to_fine(32.0 / bytes_per_cycle);
  }
  bool lately(Direction direction, Cycle now) const {
    return last_[direction] != 0 && last_[direction] + turn_ > now.value;
  }
  uint64_t occupy(Cycle now, Direction direction, int sectors) {
    last_[direction] = now.value + 1;
    const bool mixed = lately(direction == kRead ? kWrite : kRead, now);
    const uint64_t start = free_ > fine(now) ? free_ : fine(now);
    free_ = start + (mixed ? mixed_cost_ : cost_[direction]) * static_cast<uint64_t>(sectors);
    return start / kFine - now.value;
  }
  uint64_t burst_cycles_, backlog_, turn_;
  uint64_t mixed_cost_, cost_[2] = {};  // per sector, fine cycles
  int burst_, gathered_ = 0;            // sectors of writes
  uint64_t last_[2] = {};               // cycle after the last access of each direction; 0: none yet
  uint64_t free_ = 0;
};

}  // namespace hpml::sim::timing
