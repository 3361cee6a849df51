#pragma once
// The way of a kernel's accesses to memory that is not the GPU's own. Reads wait for an answer, of which a limited
// number can be under way (tags of PCIe); each direction of the link carries a number of bytes per second.
//
// From EMOGI (Min et al., VLDB 2020; V100, PCIe 3): requests of 128 bytes reach the link's rate (12.2 GB/s), of 32
// bytes 4.74 GB/s = 256 x 32 bytes per round trip, which gives `access_us`; merged but misaligned requests (96 and 32
// bytes) 9.6 GB/s, where window and round trip give 9.5. Confidence C: the figures are quoted, the paper was not at
// hand.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/timing/clock/cycle.hpp"
#include "simulator/timing/gpu_spec.hpp"
#include "simulator/timing/packets.hpp"

namespace hpml::sim::timing {

class LinkPort {
 public:
  explicit LinkPort(const GpuSpec& spec)
      : round_trip_(to_fine(spec.host_link.access_us * spec.clocks.core_mhz)),
        read_cost_(sector_cost(spec, spec.host_link.pinned_h2d_gbs)),
        write_cost_(sector_cost(spec, spec.host_link.pinned_d2h_gbs)),
        backlog_(spec.host_link.write_backlog_cycles),
        done_(spec.host_link.reads_in_flight, 0) {}

  // Back-pressure of writes: GpuSpec::host_link.write_backlog_cycles.
  bool can_send(Cycle now) const { return write_free_ <= fine(now + backlog_); }
  Cycle accepts_at() const {
    const uint64_t left = (write_free_ + kFine - 1) / kFine;
    return Cycle{left > backlog_ ? left - backlog_ : 0};
  }

  // Returns the cycles until the data is there, from `now`.
  uint64_t read(Cycle now, int sectors) {
    uint64_t& done = done_[next_];
    next_ = next_ + 1 < done_.size() ? next_ + 1 : 0;
    const uint64_t answer = std::max(fine(now), done) + round_trip_;
    read_free_ = std::max(read_free_, answer) + read_cost_ * static_cast<uint64_t>(sectors - 1);
    done = read_free_;
    read_free_ += read_cost_;  // the first sector's time is part of the round trip
    return done / kFine - now.value;
  }
  void write(Cycle now, int sectors) {
    write_free_ = std::max(write_free_, fine(now)) + write_cost_ * static_cast<uint64_t>(sectors);
  }
  // When the last write has left.
  Cycle written() const { return whole(write_free_); }

 private:
  static uint64_t sector_cost(const GpuSpec& spec, double gbs) {
    return to_fine(kSectorBytes * spec.clocks.core_mhz / (gbs * 1000.0));
  }
  uint64_t round_trip_, read_cost_, write_cost_;  // fine cycles; per sector
  uint64_t backlog_;                              // cycles
  std::vector<uint64_t> done_;                    // when each place for a read is free again, fine
  size_t next_ = 0;
  uint64_t read_free_ = 0, write_free_ = 0;
};

}  // namespace hpml::sim::timing
