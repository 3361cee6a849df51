#pragma once
// The load/store unit of one SM: a queue and an address unit per sub-partition, one shared stage in front of the L1 /
// shared-memory array, the L1 tags with their miss registers, and the port to the crossbar.
#include <array>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "simulator/exec/effects.hpp"
#include "simulator/timing/cache/constant_caches.hpp"
#include "simulator/timing/cache/mshr.hpp"
#include "simulator/timing/cache/sector_cache.hpp"
#include "simulator/timing/core/warp_state.hpp"
#include "simulator/timing/host/apertures.hpp"
#include "simulator/timing/sm_port.hpp"

namespace hpml::sim::timing {

// Told when a load's registers can be read. `when` may be in the future; it is never in the past.
class LoadSink {
 public:
  virtual ~LoadSink() = default;
  virtual void load_done(int warp_slot, uint64_t age, uint32_t load, Cycle when) = 0;
  virtual void queue_has_room(int sub_partition) = 0;
};

class Lsu {
 public:
  Lsu(const GpuSpec& spec, int sm, SmPort& port, LoadSink& sink);

  void attach(const Apertures* apertures) { apertures_ = apertures; }
  // A kernel begins: L1 is empty and has what the carve-out leaves. The LSU must be idle or is made so.
  void start_kernel(uint64_t l1_bytes);

  bool can_send(int sub) const { return queues_[static_cast<size_t>(sub)].count < spec_.core.lsu_queue_per_partition; }
  // Are most of the instructions queued those to local or global memory? Then they, and not shared memory, fill it.
  bool mostly_global(int sub) const {
    const Queue& queue = queues_[static_cast<size_t>(sub)];
    return 2 * queue.fixed < queue.count;
  }
  // Queues an issued memory or shuffle instruction. Returns the load number its destinations wait for, or kNoLoad when
  // it returns nothing. Precondition: can_send(sub).
  uint32_t send(int sub, int warp_slot, uint64_t age, const exec::Effects& effects, Cycle now);

  // Starts bulk copies: the copy engine (TMA) asks for the lines of their ranges, past L1. Returns the load number of
  // those that read, or kNoLoad when all of them write.
  uint32_t copy(int warp_slot, uint64_t age, const exec::Effects& effects, Cycle now);

  // What an access to global or local memory changes in L1 and below, without time and counters.
  void warm(const exec::Access& access, WarmingPort& below);
  void warm(std::span<const exec::BulkRange> ranges, WarmingPort& below) const;

  void tick(Cycle now, ModelCounters& counters);
  Cycle next_event() const;
  bool idle() const;
  void describe(std::string& out) const;

  static constexpr uint32_t kNoLoad = ~uint32_t{0};

 private:
  enum class Kind : uint8_t { fixed, load, store, atomic, reduction };
  using PartialSectors = std::array<uint8_t, 64>;  // by line: those of its sectors that a store writes in part
  struct Entry {
    Kind kind = Kind::fixed;
    bool local = false, bypass = false;  // bypass: L1 is neither looked up nor filled
    uint32_t load = kNoLoad;
    uint64_t occupancy = 0;  // of the shared stage, fine
    uint64_t latency = 0;    // from the shared stage to the register, data present
    uint16_t same_address = 1;
    bool floating = false;  // an atomic floating-point addition
    Cycle ready;            // leaves the address unit
    uint64_t after = 0;     // as Load::after
    int line_count = 0, next_line = 0;
    std::array<exec::Access::Line, 64> lines;
    PartialSectors partial;  // stores
  };
  struct Queue {
    std::vector<Entry> slots;
    uint32_t head = 0, count = 0;
    uint32_t fixed = 0;  // of count: those of shared memory and shuffles
    Cycle address_unit_free;
  };
  struct Load {
    int warp_slot = -1;
    uint64_t age = 0;
    int pending = 0;     // lines (loads) or requests (atomics) that have not arrived
    uint64_t after = 0;  // cycles from the last part's arrival to the registers
    bool sent = false;   // every line has been looked up
    Cycle ready;         // of the parts that have
  };

  // A range that the copy engine works on.
  struct Copy {
    exec::BulkRange range;  // what is left of it
    uint32_t load = kNoLoad;
    bool last = false;  // of its load
  };

  void go_to_other_sm(Entry& entry, const exec::Access& access) const;
  void classify(Entry& entry, const exec::Effects& effects, Cycle now);
  void combine(Entry& entry, const ir::Inst& inst) const;
  uint64_t line_of(const exec::Access& access, int i) const;
  bool bypasses(const exec::Access& access) const;
  void pass_stages(Entry& entry, const exec::Access& access) const;
  double tag_cycles(const exec::Access& access) const;
  void receive(Cycle now);
  void serve(Cycle now, ModelCounters& counters);
  void serve_copies(Cycle now);
  bool start_line(const Copy& copy, Cycle now);
  exec::Access::Line first_line(const exec::BulkRange& range) const;
  bool advance(Entry& entry, Cycle now, ModelCounters& counters);  // false: blocked
  bool load_line(Entry& entry, const exec::Access::Line& line, Cycle now, ModelCounters& counters);
  bool store_line(const Entry& entry, const exec::Access::Line& line, Cycle now, ModelCounters& counters);
  bool atomic_line(Entry& entry, const exec::Access::Line& line, Cycle now);
  // One lookup for what is timed and for what only warms L1: the sectors that a load misses, that a store hits.
  uint8_t load_misses(const exec::Access::Line& line, bool bypass);
  uint8_t store_hits(const exec::Access::Line& line, bool bypass, bool local, uint8_t partial);
  void fill(uint64_t line, uint8_t sectors);
  SectorCache::Line* keep(uint64_t line);
  void finish_if_done(uint32_t load);
  uint32_t new_load(int warp_slot, uint64_t age);
  void request(MemOp op, uint64_t line, uint8_t sectors, uint32_t ticket, Cycle now);

  const GpuSpec& spec_;
  int sm_;
  const Apertures* apertures_ = nullptr;  // null: addresses are places
  SmPort& port_;
  LoadSink& sink_;
  std::vector<Queue> queues_;
  size_t turn_ = 0;  // sub-partition whose queue is looked at first
  // What the entry in front of queue turn_ waits for: miss registers, until a reply; the port, until it has room.
  bool blocked_ = false, port_full_ = false;
  uint64_t stage_free_ = 0;  // fine
  std::deque<Copy> copies_;
  Cycle copies_at_;              // when the copy engine may ask for its next line
  bool copies_blocked_ = false;  // until a reply
  SectorCache l1_;
  ConstantCaches constants_;
  Mshr mshr_;
  std::vector<Load> loads_;
  std::vector<uint32_t> free_loads_;
  std::vector<std::pair<uint64_t, uint8_t>> write_backs_;  // evicted dirty local lines that await the port
};

}  // namespace hpml::sim::timing
