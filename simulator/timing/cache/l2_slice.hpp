#pragma once
// One L2 slice: takes a request when its data stage is free, looks the sectors up, fetches what is missing from its
// DRAM channel and replies. Write-back, write-allocate by sector.
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

  Port<MemRequest>& input() { return input_; }
  const Port<MemRequest>& input() const { return input_; }

  // Serves at most one request. When it did, `request` is it and `extra` the cycles its reply is later than that of an
  // uncontended hit.
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
    int hits = 0;
    int evicted = 0, cleaned = 0;  // written to DRAM: of a line that had to go, of one that is written back early
    int fetched = 0;               // from DRAM, or over the link
  };
  Access access(const MemRequest& request);
  uint64_t lookup(Cycle start, const MemRequest& request, ModelCounters& counters);
  int write_back_early(uint64_t tag);
  void write_to_dram(Cycle now, int sectors, ModelCounters& counters);
  uint8_t asked_for(const MemRequest& request, const SectorCache::Line& line) const;
  uint64_t fetch(Cycle now, const MemRequest& request, int sectors, ModelCounters& counters);
  bool can_serve(Cycle now) const;

  int index_;
  uint64_t sector_cost_, request_cost_, partial_cost_;  // data stage and tags, fine cycles
  uint64_t atomic_cost_, float_cost_;                   // per lane on one address, fine cycles
  uint64_t atomic_unit_;                                // cycles added to the reply of an atomic
  uint64_t dram_extra_;                                 // cycles a miss takes beyond a hit
  DramChannel& channel_;
  LinkPort& link_;
  SectorCache tags_;
  uint32_t most_dirty_;  // lines of a set
  uint32_t fetch_sectors_;
  Port<MemRequest> input_;
  uint64_t free_ = 0;  // fine
};

}  // namespace hpml::sim::timing
