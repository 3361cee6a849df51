#include "simulator/timing/core/lsu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/timing/core/combined.hpp"

namespace hpml::sim::timing {

using isa::Lat;

namespace {
// Added to the line of a load that bypasses L1: a miss of another load does not join it, nor it theirs.
constexpr uint64_t kUnmergedBit = uint64_t{1} << 63;
constexpr uint32_t kAtomicTicket = uint32_t{1} << 31;  // reply belongs to an atomic: the rest is the load number

// By line of a store: the sectors that it writes in part.
std::array<uint8_t, 64> partial_sectors(const exec::Access& access) {
  std::array<uint8_t, 64> partial{};
  if (std::popcount(access.active) * access.bytes >= access.sector_count * static_cast<int>(kSectorBytes)) {
    return partial;
  }
  std::array<std::array<int, 4>, 64> written{};  // bytes
  size_t at = 0;                                 // lines stand in the order of the lanes that touch them first
  for (uint32_t lanes = access.active; lanes != 0; lanes &= lanes - 1) {
    const uint64_t address = access.address[static_cast<size_t>(std::countr_zero(lanes))];
    if (access.lines[at].line != address / 128) {
      const auto begin = access.lines.begin(), end = begin + access.line_count;
      const auto found =
          std::find_if(begin, end, [&](const exec::Access::Line& line) { return line.line == address / 128; });
      at = found == end ? 0 : static_cast<size_t>(found - begin);
    }
    written[at][address / kSectorBytes % 4] += access.bytes;
  }
  for (size_t i = 0; i < static_cast<size_t>(access.line_count); ++i) {
    for (size_t sector = 0; sector < 4; ++sector) {
      const bool whole = written[i][sector] >= static_cast<int>(kSectorBytes);
      partial[i] |= whole ? 0 : access.lines[i].sectors & (1u << sector);
    }
  }
  return partial;
}
}  // namespace

Lsu::Lsu(const GpuSpec& spec, int sm, SmPort& port, LoadSink& sink)
    : spec_(spec),
      sm_(sm),
      port_(port),
      sink_(sink),
      constants_(spec),
      mshr_(spec.l1.mshr_entries, spec.l1.mshr_merges) {
  queues_.resize(spec.topology.sub_partitions);
  for (Queue& queue : queues_) {
    queue.slots.resize(spec.core.lsu_queue_per_partition);
  }
}

void Lsu::start_kernel(uint64_t l1_bytes) {
  l1_ = SectorCache(l1_bytes, spec_.l1.line_bytes, spec_.l1.ways);
  constants_.clear();
  mshr_.clear();
  loads_.clear();
  free_loads_.clear();
  write_backs_.clear();
  copies_.clear();
  copies_at_ = Cycle{0};
  copies_blocked_ = false;
  for (Queue& queue : queues_) {
    queue.head = queue.count = queue.fixed = 0;
    queue.address_unit_free = Cycle{0};
  }
  turn_ = 0;
  blocked_ = port_full_ = false;
  stage_free_ = 0;
}

uint32_t Lsu::new_load(int warp_slot, uint64_t age) {
  if (free_loads_.empty()) {
    free_loads_.push_back(static_cast<uint32_t>(loads_.size()));
    loads_.emplace_back();
  }
  const uint32_t load = free_loads_.back();
  free_loads_.pop_back();
  loads_[load] = Load{};
  loads_[load].warp_slot = warp_slot;
  loads_[load].age = age;
  return load;
}

// Where the caches see line i of a global or local access.
uint64_t Lsu::line_of(const exec::Access& access, int i) const {
  const uint64_t line = access.lines[static_cast<size_t>(i)].line;
  if (access.space == isa::Space::local) {
    return line | kLocalLineBit;
  }
  return apertures_ != nullptr ? apertures_->place(line) : line;
}

bool Lsu::bypasses(const exec::Access& access) const {
  const bool local = access.space == isa::Space::local;
  return access.cache == isa::Cache::cg || access.cache == isa::Cache::cv ||
         (!local && !spec_.l1.caches_global && access.cache != isa::Cache::nc && access.cache != isa::Cache::ca);
}

// What the tag and data stages need for a warp access (simulator_timing 4.1): four tags per cycle, and the data array
// moves bytes_per_cycle from banks like those of shared memory, whose conflicts it has. One line takes one pass. The
// stages work on different accesses at once, so the longer one bounds the rate; an access goes through one after the
// other.
void Lsu::pass_stages(Entry& entry, const exec::Access& access) const {
  const double bytes = static_cast<double>(std::popcount(access.active)) * access.bytes;
  const double pass = 128.0 / spec_.l1.bytes_per_cycle;
  const double ideal = std::max(1.0, bytes / 128.0);
  const double passes = std::max(ideal, static_cast<double>(access.wavefronts));
  const double tags = tag_cycles(access);
  entry.occupancy = to_fine(std::max(passes * pass, tags));
  const double further = std::max(0.0, ideal * pass - spec_.of(Lat::ld_global).interval) + std::max(0.0, tags - ideal) +
                         spec_.shared.way_cycles * (passes - ideal);
  entry.latency = spec_.of(Lat::ld_global).latency - spec_.core.lsu_front_cycles + static_cast<uint64_t>(further);
}

// 64-bit lanes are looked up half a warp at a time, 128-bit lanes a quarter: a half that lies across two lines, as in a
// row of doubles that is not aligned, takes longer than its data.
double Lsu::tag_cycles(const exec::Access& access) const {
  const auto cycles = [&](int lines) {
    return lines <= 1 ? 1.0 : spec_.l1.tag_base_cycles + lines / double(spec_.l1.tags_per_cycle);
  };
  const int groups = access.bytes / 4;
  if (groups <= 1 || access.line_count <= groups || access.space == isa::Space::local) {
    return cycles(access.line_count);
  }
  const int lanes = isa::kWarpSize / groups;
  double total = 0;
  for (int first = 0; first < isa::kWarpSize; first += lanes) {
    std::array<uint64_t, isa::kWarpSize> lines;
    int count = 0;
    for (int lane = first; lane < first + lanes; ++lane) {
      const uint64_t line = access.address[static_cast<size_t>(lane)] / 128;
      const auto end = lines.begin() + count;
      if ((access.active >> lane & 1) != 0 && std::find(lines.begin(), end, line) == end) {
        lines[static_cast<size_t>(count++)] = line;
      }
    }
    total += count == 0 ? 0 : cycles(count);
  }
  return total;
}

// The way to another SM's shared memory and back, and the port to it, which takes fewer bytes than the banks give.
void Lsu::go_to_other_sm(Entry& entry, const exec::Access& access) const {
  const double bytes = static_cast<double>(std::popcount(access.remote)) * access.bytes;
  entry.latency += spec_.cluster.remote_latency_cycles - spec_.of(Lat::ld_shared).latency;
  entry.occupancy = std::max(entry.occupancy, to_fine(bytes / spec_.cluster.remote_bytes_per_cycle));
}

void Lsu::classify(Entry& entry, const exec::Effects& effects, Cycle now) {
  const LatencyClass& cls = spec_.of(effects.lat);
  entry.kind = Kind::fixed;
  const bool added = effects.lat == Lat::atom_shared;  // its figure comes on top of ld_shared, front included
  entry.latency = added                                       ? cls.latency
                  : cls.latency > spec_.core.lsu_front_cycles ? cls.latency - spec_.core.lsu_front_cycles
                                                              : 0;
  entry.occupancy = to_fine(cls.interval);
  if (!effects.has_access) {
    return;  // shuffle
  }
  const exec::Access& access = effects.access;
  const uint64_t ways = static_cast<uint64_t>(std::max(access.wavefronts, 1));
  const uint64_t ideal = static_cast<uint64_t>(std::max(access.ideal_wavefronts, 1));
  switch (access.space) {
    case isa::Space::shared:
      entry.occupancy *= ways;
      entry.latency += spec_.shared.way_cycles * (ways - ideal) + (ideal - 1) * static_cast<uint64_t>(cls.interval);
      if (access.is_atomic) {
        const int lanes = combines(effects) ? 1 : access.same_address;
        const double contended = spec_.shared.atomic_way_cycles * (lanes - 1);
        entry.latency +=
            spec_.of(Lat::ld_shared).latency - spec_.core.lsu_front_cycles + static_cast<uint64_t>(contended);
        // The unit works on one instruction of a warp after the other.
        entry.occupancy = std::max(entry.occupancy, to_fine(static_cast<double>(cls.latency))) + to_fine(contended);
      }
      if (access.remote != 0) {
        go_to_other_sm(entry, access);
      }
      return;
    case isa::Space::constant:
      entry.occupancy *= ways;
      entry.latency += (ways - 1) * static_cast<uint64_t>(cls.interval) + constants_.delay(access, now);
      return;
    case isa::Space::param: return;
    case isa::Space::generic:
    case isa::Space::global:
    case isa::Space::local: break;
  }
  entry.local = access.space == isa::Space::local;
  pass_stages(entry, access);
  entry.bypass = bypasses(access);
  entry.same_address = static_cast<uint16_t>(access.same_address);
  entry.floating = access.is_atomic && isa::is_float(effects.inst->variant->types[0]);
  entry.line_count = access.line_count;
  for (int i = 0; i < entry.line_count; ++i) {
    entry.lines[static_cast<size_t>(i)] = {line_of(access, i), access.lines[static_cast<size_t>(i)].sectors};
  }
  const bool returns = access.is_load && !(effects.inst != nullptr && effects.inst->result_unused);
  entry.kind =
      access.is_atomic ? (returns ? Kind::atomic : Kind::reduction) : (access.is_store ? Kind::store : Kind::load);
  if (entry.kind == Kind::store) {
    // Of local memory L1 has the rest of the sector.
    entry.partial = entry.local ? PartialSectors{} : partial_sectors(access);
  }
  if (combines(effects)) {
    combine(entry, *effects.inst);
  }
}

// One lane asks for all.
void Lsu::combine(Entry& entry, const ir::Inst& inst) const {
  entry.same_address = 1;
  entry.after = entry.kind == Kind::atomic ? spec_.of(Lat::shuffle).latency : 0;
  const bool shuffles =
      inst.combine == ir::Combine::scan || (inst.combine == ir::Combine::reduce && !reduces_in_one(spec_));
  if (shuffles) {
    entry.occupancy += kCombiningShuffles * to_fine(spec_.of(Lat::shuffle).interval);
  }
}

void Lsu::warm(const exec::Access& access, WarmingPort& below) {
  const bool local = access.space == isa::Space::local;
  const bool bypass = bypasses(access);
  const PartialSectors partial = access.is_store ? partial_sectors(access) : PartialSectors{};
  for (int i = 0; i < access.line_count; ++i) {
    exec::Access::Line line = access.lines[static_cast<size_t>(i)];
    line.line = line_of(access, i);
    MemRequest sent{.line = line.line, .sm = static_cast<uint16_t>(sm_), .op = MemOp::read, .sectors = line.sectors};
    if (access.is_atomic) {
      sent.op = MemOp::reduction;
    } else if (access.is_store) {
      store_hits(line, bypass, local, partial[static_cast<size_t>(i)]);
      sent.op = MemOp::write;
      sent.sectors = local && !spec_.l1.local_write_through ? uint8_t{0} : line.sectors;
    } else {
      sent.sectors = load_misses(line, bypass);
      if (sent.sectors != 0 && !bypass) {
        fill(line.line, line.sectors);
      }
    }
    if (sent.sectors != 0) {
      below.warm(sent);
    }
  }
  for (const auto& [line, sectors] : write_backs_) {
    below.warm({.line = line, .sm = static_cast<uint16_t>(sm_), .op = MemOp::write, .sectors = sectors});
  }
  write_backs_.clear();
}

uint32_t Lsu::send(int sub, int warp_slot, uint64_t age, const exec::Effects& effects, Cycle now) {
  HPML_CHECK(can_send(sub), "send() to a full queue");
  Queue& queue = queues_[static_cast<size_t>(sub)];
  Entry& entry = queue.slots[(queue.head + queue.count) % queue.slots.size()];
  ++queue.count;
  entry.line_count = entry.next_line = 0;
  entry.local = entry.bypass = false;
  entry.same_address = 1;
  entry.after = 0;
  classify(entry, effects, now);
  queue.fixed += entry.kind == Kind::fixed ? 1 : 0;
  const Cycle start = later(now, queue.address_unit_free);
  queue.address_unit_free = start + spec_.core.agu_interval_cycles;
  entry.ready = start + spec_.core.lsu_front_cycles;
  const bool shared_store = entry.kind == Kind::fixed && effects.has_access && !effects.access.is_load;
  const bool returns = !shared_store && entry.kind != Kind::store && entry.kind != Kind::reduction;
  entry.load = returns ? new_load(warp_slot, age) : kNoLoad;
  if (returns) {
    loads_[entry.load].after = entry.after;
  }
  return entry.load;
}

void Lsu::tick(Cycle now, ModelCounters& counters) {
  receive(now);
  serve(now, counters);
  serve_copies(now);
}

void Lsu::receive(Cycle now) {
  MemReply reply;
  while (port_.in.try_pop(now, reply)) {
    blocked_ = port_full_ = copies_blocked_ = false;  // what they wait for may have come with it
    if ((reply.ticket & kAtomicTicket) != 0) {
      const uint32_t load = reply.ticket & ~kAtomicTicket;
      loads_[load].pending -= 1;
      loads_[load].ready = later(loads_[load].ready, now);
      finish_if_done(load);
      continue;
    }
    const int entry = static_cast<int>(reply.ticket);
    if (mshr_.entry(entry).fill) {
      fill(mshr_.entry(entry).line, reply.sectors);
    }
    mshr_.arrive(entry, reply.sectors, [&](uint32_t load) {
      loads_[load].pending -= 1;
      loads_[load].ready = later(loads_[load].ready, now);
      finish_if_done(load);
    });
  }
  while (!write_backs_.empty() && port_.out.can_send()) {
    request(MemOp::write, write_backs_.back().first, write_backs_.back().second, 0, now);
    write_backs_.pop_back();
  }
}

// Makes room for a line in L1; a dirty victim (local memory) goes to the write-back list.
SectorCache::Line* Lsu::keep(uint64_t line) {
  SectorCache::Evicted evicted;
  SectorCache::Line* kept = l1_.insert(line, evicted);
  if (evicted.dirty != 0) {
    write_backs_.emplace_back(evicted.line, evicted.dirty);
  }
  return kept;
}

void Lsu::fill(uint64_t line, uint8_t sectors) {
  SectorCache::Line* kept = l1_.find(line);
  kept = kept != nullptr ? kept : keep(line);
  if (kept != nullptr) {
    kept->valid |= sectors;
  }
}

uint8_t Lsu::load_misses(const exec::Access::Line& line, bool bypass) {
  const SectorCache::Line* kept = bypass ? nullptr : l1_.find(line.line);
  return line.sectors & static_cast<uint8_t>(kept != nullptr ? ~kept->valid : 0xff);
}

// A sector that is only partly written and not present stays invalid: its other bytes are not here.
uint8_t Lsu::store_hits(const exec::Access::Line& line, bool bypass, bool local, uint8_t partial) {
  SectorCache::Line* kept = bypass ? nullptr : l1_.find(line.line);
  const uint8_t hits = kept != nullptr ? line.sectors & kept->valid : 0;
  if (kept == nullptr && !bypass && (local || spec_.l1.allocate_on_write)) {
    kept = keep(line.line);
  }
  if (kept != nullptr) {
    kept->valid |= local ? line.sectors : line.sectors & static_cast<uint8_t>(~partial);
  }
  if (kept != nullptr && local && !spec_.l1.local_write_through) {
    kept->dirty |= line.sectors;
  }
  return hits;
}

void Lsu::finish_if_done(uint32_t load) {
  Load& l = loads_[load];
  if (l.sent && l.pending == 0) {
    sink_.load_done(l.warp_slot, l.age, load, l.ready + l.after);
    free_loads_.push_back(load);
  }
}

void Lsu::serve(Cycle now, ModelCounters& counters) {
  port_full_ = port_full_ && !port_.out.can_send();
  if (stage_free_ >= fine(now + 1) || blocked_ || port_full_) {
    return;
  }
  for (size_t i = 0; i < queues_.size(); ++i) {
    const size_t sub = turn_ + i < queues_.size() ? turn_ + i : turn_ + i - queues_.size();
    Queue& queue = queues_[sub];
    if (queue.count == 0 || queue.slots[queue.head].ready > now) {
      continue;
    }
    Entry& entry = queue.slots[queue.head];
    if (!advance(entry, now, counters)) {
      turn_ = sub;  // stays first: accesses of the stage are in order
      port_full_ = !port_.out.can_send();
      blocked_ = !port_full_;
      return;
    }
    stage_free_ = std::max(stage_free_, fine(now)) + entry.occupancy;
    queue.fixed -= entry.kind == Kind::fixed ? 1 : 0;
    queue.head = (queue.head + 1) % static_cast<uint32_t>(queue.slots.size());
    --queue.count;
    turn_ = sub + 1 < queues_.size() ? sub + 1 : 0;
    sink_.queue_has_room(static_cast<int>(sub));
    return;
  }
}

bool Lsu::advance(Entry& entry, Cycle now, ModelCounters& counters) {
  for (; entry.next_line < entry.line_count; ++entry.next_line) {
    const exec::Access::Line& line = entry.lines[static_cast<size_t>(entry.next_line)];
    const bool done = entry.kind == Kind::load    ? load_line(entry, line, now, counters)
                      : entry.kind == Kind::store ? store_line(entry, line, now, counters)
                                                  : atomic_line(entry, line, now);
    if (!done) {
      return false;
    }
  }
  if (entry.load != kNoLoad) {
    Load& load = loads_[entry.load];
    load.sent = true;
    if (entry.kind != Kind::atomic) {
      load.ready = later(load.ready, now + entry.latency);
    }
    finish_if_done(entry.load);
  }
  return true;
}

bool Lsu::load_line(Entry& entry, const exec::Access::Line& line, Cycle now, ModelCounters& counters) {
  const uint8_t missing = load_misses(line, entry.bypass);
  const int wanted = sector_count(line.sectors);
  uint8_t to_ask = 0;
  if (missing != 0) {
    int miss = entry.bypass ? -1 : mshr_.find(line.line);
    const uint8_t asked = miss >= 0 ? mshr_.entry(miss).pending : uint8_t{0};
    to_ask = missing & static_cast<uint8_t>(~asked);
    if (!mshr_.can_add(miss, sector_count(to_ask)) || (to_ask != 0 && !port_.out.can_send())) {
      return false;
    }
    if (to_ask != 0) {
      miss = mshr_.add(miss, entry.bypass ? line.line | kUnmergedBit : line.line, to_ask, !entry.bypass);
      request(MemOp::read, line.line, to_ask, static_cast<uint32_t>(miss), now);
    }
    mshr_.wait(miss, entry.load, missing);
    loads_[entry.load].pending += 1;
  }
  counters.l1_sectors += static_cast<uint64_t>(wanted);
  counters.l1_hits += static_cast<uint64_t>(wanted - sector_count(to_ask));  // what is on its way already has its tag
  return true;
}

bool Lsu::store_line(const Entry& entry, const exec::Access::Line& line, Cycle now, ModelCounters& counters) {
  const bool through = !entry.local || spec_.l1.local_write_through;
  if (through && !port_.out.can_send()) {
    return false;
  }
  const uint8_t partial = entry.partial[static_cast<size_t>(entry.next_line)];
  const uint8_t hits = store_hits(line, entry.bypass, entry.local, partial);
  counters.l1_sectors += static_cast<uint64_t>(sector_count(line.sectors));
  counters.l1_hits += static_cast<uint64_t>(sector_count(hits));
  if (through) {
    MemRequest write{.line = line.line, .sm = static_cast<uint16_t>(sm_), .op = MemOp::write, .sectors = line.sectors};
    write.partial = partial;
    port_.out.send(write, now, 0);
  }
  return true;
}

bool Lsu::atomic_line(Entry& entry, const exec::Access::Line& line, Cycle now) {
  if (!port_.out.can_send()) {
    return false;
  }
  const bool returns = entry.kind == Kind::atomic;
  const uint32_t ticket = returns ? (entry.load | kAtomicTicket) : 0;
  const MemOp op = returns ? MemOp::atomic : MemOp::reduction;
  port_.out.send(
      MemRequest{line.line, ticket, static_cast<uint16_t>(sm_), op, line.sectors, entry.same_address, entry.floating},
      now, 0);
  if (returns) {
    loads_[entry.load].pending += 1;
  }
  return true;
}

void Lsu::request(MemOp op, uint64_t line, uint8_t sectors, uint32_t ticket, Cycle now) {
  port_.out.send(MemRequest{line, ticket, static_cast<uint16_t>(sm_), op, sectors}, now, 0);
}

Cycle Lsu::next_event() const {
  const Cycle copies = copies_.empty() || copies_blocked_ || !port_.out.can_send() ? kNever : copies_at_;
  Cycle next = write_backs_.empty() || !port_.out.can_send() ? port_.in.next_ready() : Cycle{0};
  for (const Queue& queue : queues_) {
    if (queue.count > 0 && !blocked_ && !port_full_) {
      next = earlier(next, later(queue.slots[queue.head].ready, whole(stage_free_)));
    }
  }
  return earlier(next, copies);
}

bool Lsu::idle() const {
  return mshr_.pending_sectors() == 0 && copies_.empty() &&
         std::all_of(queues_.begin(), queues_.end(), [](const Queue& q) { return q.count == 0; });
}

void Lsu::describe(std::string& out) const {
  for (size_t i = 0; i < queues_.size(); ++i) {
    out += fmt::format("  lsu queue {}: {} instructions{}\n", i, queues_[i].count,
                       blocked_ && i == turn_ ? ", blocked" : "");
  }
  if (!copies_.empty()) {
    out += fmt::format("  copy engine: {} ranges{}\n", copies_.size(), copies_blocked_ ? ", blocked" : "");
  }
  out += fmt::format("  l1: {} sectors on their way\n", mshr_.pending_sectors());
}

}  // namespace hpml::sim::timing
