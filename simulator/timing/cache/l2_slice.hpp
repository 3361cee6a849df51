#pragma once
// One L2 slice: takes a request when its data stage is free, looks the sectors up, fetches what is missing from its
// DRAM channel and replies. Write-back, write-allocate by sector.
// Where L2 has two partitions (A100 and later), what an SM reads of the other one's lines is kept in its own as well,
// in the slice that mirrors the line's own. Copies and own lines share the slice: what all SMs read has half of L2. (On
// an H200, 60 MB: a chase by one SM sees the near latency up to 8 MB, 456 cycles at 32 and 514 at 40, as shared LRU
// sets of 30 MB give; all SMs together read 70 MB at the speed of DRAM.)
#include <string>

#include "simulator/timing/cache/sector_cache.hpp"
#include "simulator/timing/clock/port.hpp"
#include "simulator/timing/counters.hpp"
#include "simulator/timing/dram/channel.hpp"
#include "simulator/timing/host/link_port.hpp"
#include "simulator/timing/packets.hpp"

namespace hpml::sim::timing {

class L2Slice {
 public:
  // request_delay: cycles from a port of an SM to the slice.
  L2Slice(const GpuSpec& spec, int index, DramChannel& channel, LinkPort& link, uint64_t request_delay);

  // The slice of the other partition that keeps copies of this one's lines.
  void set_mirror(L2Slice& other) { mirror_ = &other; }

  const Port<MemRequest>& input() const { return input_; }
  // When the request may set out, if there is room. A slice merges one write of nothing but parts of sectors at a time:
  // it stays with its SM, and holds up what comes behind it, until the slice will have done what is on its way before
  // it. (An H100 takes 19.7 single sectors a clock from 60 SMs and 30 from 132, as queues with blocked heads before 80
  // slices of 2 cycles do: Karol, Hluchyj, Morgan, "Input versus output queueing", IEEE Trans. Communications 35(12),
  // 1987; validation/programs/turns.cu, scatter.)
  Cycle departs(const MemRequest& request, Cycle now) const;
  uint64_t stage_cycles(const MemRequest& request) const { return (stage_cost(request) + kFine - 1) / kFine; }
  void send(const MemRequest& request, Cycle now);

  // Serves at most one request. When it did, `request` is it (no longer far if the SM's partition has a copy) and
  // `extra` the cycles its reply is later than that of an uncontended hit.
  bool tick(Cycle now, MemRequest& request, uint64_t& extra, ModelCounters& counters);
  Cycle next_event() const;
  void describe(std::string& out) const;

  // A host copy or memset passed through: the sectors are resident and clean afterwards.
  void place(uint64_t line);
  // What a request changes, without time; counts what goes to and from DRAM.
  void warm(const MemRequest& request, ModelCounters& counters);
  void drop_requests() { input_.clear(); }
  // Forgets what is resident: unknown traffic has gone through.
  void forget() { tags_.clear(); }

 private:
  // What an access has changed in the tags, and what that moves, in sectors: the same for timed ones and for warming.
  struct Access {
    SectorCache::Line* line = nullptr;
    SectorCache::Line* copy = nullptr;  // made by this access, or found instead of the line
    int hits = 0;
    int evicted_by_copy = 0;       // written to the mirror's DRAM
    int evicted = 0, cleaned = 0;  // written to DRAM: of a line that had to go, of one that is written back early
    int fetched = 0;               // from DRAM, or over the link
  };
  Access access(const MemRequest& request);
  Access access_own(const MemRequest& request);
  uint64_t lookup(Cycle start, MemRequest& request, ModelCounters& counters);
  int write_back_early(uint64_t tag);
  void write_to_dram(Cycle now, int sectors, ModelCounters& counters);
  uint8_t asked_for(const MemRequest& request, const SectorCache::Line& line) const;
  uint64_t fetch(Cycle now, const MemRequest& request, int sectors, ModelCounters& counters);
  bool can_serve(Cycle now) const;
  uint64_t stage_cost(const MemRequest& request) const;

  int index_;
  uint64_t request_delay_;
  uint64_t sector_cost_, request_cost_, partial_cost_;  // data stage and tags, fine cycles
  uint64_t atomic_cost_, float_cost_;                   // per lane on one address, fine cycles
  uint64_t atomic_unit_;                                // cycles added to the reply of an atomic
  uint64_t dram_extra_;                                 // cycles a miss takes beyond a hit
  DramChannel& channel_;
  LinkPort& link_;
  L2Slice* mirror_ = nullptr;
  SectorCache tags_;
  uint32_t most_dirty_;  // lines of a set
  uint32_t fetch_sectors_;
  Port<MemRequest> input_;
  uint64_t free_ = 0;      // fine
  uint64_t promised_ = 0;  // fine: when everything on its way will be done
};

}  // namespace hpml::sim::timing
