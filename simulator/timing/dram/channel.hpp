#pragma once
// One DRAM channel: a bus that is busy for every sector, and a latency. Row-buffer locality, turn-around and refresh
// are in the two efficiencies, which are fitted to streaming measurements (gpus/*.toml).
#include <cstdint>

#include "simulator/timing/engine/cycle.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::timing {

class DramChannel {
 public:
  explicit DramChannel(const GpuSpec& spec)
      : read_cost_(sector_cost(spec, spec.dram.read_efficiency)),
        write_cost_(sector_cost(spec, spec.dram.write_efficiency)) {}

  // Back-pressure: a channel takes work as long as what it has is done within kBacklog cycles.
  bool can_send(Cycle now) const { return free_ <= fine(now + kBacklog); }
  // When can_send() becomes true.
  Cycle accepts_at() const { return Cycle{free_ / kFine > kBacklog ? free_ / kFine - kBacklog : 0}; }

  // Queues `sectors` sectors; returns the cycles they wait for the bus, from `now`.
  uint64_t read(Cycle now, int sectors) { return occupy(now, read_cost_ * static_cast<uint64_t>(sectors)); }
  void write(Cycle now, int sectors) { occupy(now, write_cost_ * static_cast<uint64_t>(sectors)); }

  static constexpr uint64_t kBacklog = 512;

 private:
  static uint64_t sector_cost(const GpuSpec& spec, double efficiency) {
    const double bytes_per_cycle = spec.dram_bytes_per_cycle() * efficiency / spec.dram.channels;
    return to_fine(32.0 / bytes_per_cycle);
  }
  uint64_t occupy(Cycle now, uint64_t cost) {
    const uint64_t start = free_ > fine(now) ? free_ : fine(now);
    free_ = start + cost;
    return start / kFine - now.value;
  }
  uint64_t read_cost_, write_cost_;  // per sector, fine cycles
  uint64_t free_ = 0;
};

}  // namespace hpml::sim::timing
