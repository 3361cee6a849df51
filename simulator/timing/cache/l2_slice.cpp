#include "simulator/timing/cache/l2_slice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hpml::sim::timing {

L2Slice::L2Slice(const GpuSpec& spec, int index, DramChannel& channel, LinkPort& link, uint64_t request_delay)
    : index_(index),
      request_delay_(request_delay),
      sector_cost_(to_fine(kSectorBytes / spec.l2.slice_bytes_per_cycle)),
      request_cost_(to_fine(spec.l2.slice_request_cycles)),
      partial_cost_(to_fine(spec.l2.slice_partial_cycles)),
      atomic_cost_(to_fine(spec.l2.atomic_same_address_cycles)),
      float_cost_(to_fine(spec.l2.atomic_float_cycles)),
      atomic_unit_(spec.of(isa::Lat::atom_global).latency),
      dram_extra_(spec.dram.latency_cycles - spec.l2.near_latency_cycles),
      channel_(channel),
      link_(link),
      tags_(uint64_t{spec.l2.size_kib} * 1024 / spec.l2.slices, 128, spec.l2.ways),
      most_dirty_(std::max(1u, static_cast<uint32_t>(spec.l2.dirty_share * spec.l2.ways))),
      fetch_sectors_(spec.l2.fetch_bytes / kSectorBytes),
      input_(spec.l2.slice_queue + request_delay) {}

// Fine cycles of the data stage.
uint64_t L2Slice::stage_cost(const MemRequest& request) const {
  const uint64_t sectors = static_cast<uint64_t>(sector_count(request.sectors));
  uint64_t cost = std::max(request_cost_, sector_cost_ * sectors);
  if (request.partial != 0) {
    cost = std::max(cost, request_cost_ + partial_cost_ * static_cast<uint64_t>(sector_count(request.partial)));
  }
  if (request.op == MemOp::atomic || request.op == MemOp::reduction) {
    cost += (request.floating ? float_cost_ : atomic_cost_) * (request.same_address - 1u);
  }
  return cost;
}

Cycle L2Slice::departs(const MemRequest& request, Cycle now) const {
  const Cycle free = whole(promised_);
  const bool stream = request.partial != request.sectors;  // with whole sectors, as a row that is not aligned
  return request.op != MemOp::write || stream || free <= now + request_delay_ ? now
                                                                              : Cycle{free.value - request_delay_};
}

void L2Slice::send(const MemRequest& request, Cycle now) {
  promised_ = std::max(promised_, fine(now + request_delay_)) + stage_cost(request);
  input_.send(request, now, request_delay_);
}

bool L2Slice::tick(Cycle now, MemRequest& request, uint64_t& extra, ModelCounters& counters) {
  if (!can_serve(now) || !input_.try_pop(now, request)) {
    return false;
  }
  const bool atomic = request.op == MemOp::atomic || request.op == MemOp::reduction;
  const uint64_t cost = stage_cost(request);
  free_ = (free_ > fine(now) ? free_ : fine(now)) + cost;
  const uint64_t transfer =
      (cost - std::max(request_cost_, sector_cost_)) / kFine;  // the first sector's time is part of the hit latency
  extra = lookup(now, request, counters) + transfer + (atomic ? atomic_unit_ : 0);
  return true;
}

// Whoever waits for the link holds up those behind.
bool L2Slice::can_serve(Cycle now) const {
  if (free_ >= fine(now + 1)) {
    return false;
  }
  const MemRequest* first = input_.peek(now);
  return first != nullptr && (first->link_epoch != 0 ? link_.can_send(now) : channel_.can_send(now));
}

// A set with many dirty lines gets rid of the oldest one's data before it has to: evicting a clean line is quick.
// Sectors to write, of a line that stays valid.
int L2Slice::write_back_early(uint64_t tag) {
  SectorCache::Line* oldest = tags_.oldest_dirty(tag, most_dirty_);
  if (oldest == nullptr) {
    return 0;
  }
  const int sectors = sector_count(oldest->dirty);
  oldest->dirty = 0;
  return sectors;
}

// The sectors a read brings in: aligned groups of those that are missing; over the link no more than is wanted.
uint8_t L2Slice::asked_for(const MemRequest& request, const SectorCache::Line& line) const {
  const uint32_t missing = request.sectors & ~uint32_t{line.valid};
  if (request.link_epoch != 0) {
    return static_cast<uint8_t>(missing);
  }
  const uint32_t group = (1u << fetch_sectors_) - 1;
  uint32_t out = 0;
  for (uint32_t first = 0; first < 4; first += fetch_sectors_) {
    out |= (missing >> first & group) != 0 ? group << first : 0;
  }
  return static_cast<uint8_t>(out & ~uint32_t{line.valid});
}

// Cycles until the sectors have come.
uint64_t L2Slice::fetch(Cycle now, const MemRequest& request, int sectors, ModelCounters& counters) {
  if (request.link_epoch != 0) {
    counters.link_read_sectors += static_cast<uint64_t>(sectors);
    return link_.read(now, sectors);
  }
  counters.dram_read_sectors += static_cast<uint64_t>(sectors);
  return channel_.read(now, sectors) + dram_extra_;
}

L2Slice::Access L2Slice::access(const MemRequest& request) {
  if (mirror_ == nullptr) {
    return access_own(request);
  }
  SectorCache::Line* copy = request.far || request.op != MemOp::read ? mirror_->tags_.find(request.tag()) : nullptr;
  if (request.op != MemOp::read && copy != nullptr) {
    copy->valid &= static_cast<uint8_t>(~request.sectors);
  }
  if (!request.far || request.op != MemOp::read) {
    return access_own(request);
  }
  Access out;
  if (copy != nullptr && (request.sectors & ~copy->valid) == 0) {
    out.copy = copy;
    out.hits = sector_count(request.sectors);
    return out;
  }
  out = access_own(request);
  if (copy == nullptr) {
    SectorCache::Evicted evicted;
    copy = mirror_->tags_.insert(request.tag(), evicted);
    out.evicted_by_copy = sector_count(evicted.dirty);
  }
  copy->valid |= request.sectors;
  out.copy = copy;
  return out;
}

L2Slice::Access L2Slice::access_own(const MemRequest& request) {
  Access out;
  out.line = tags_.find(request.tag());
  if (out.line == nullptr) {
    SectorCache::Evicted evicted;
    out.line = tags_.insert(request.tag(), evicted);
    out.evicted = sector_count(evicted.dirty);
  }
  SectorCache::Line& line = *out.line;
  out.hits = sector_count(request.sectors & line.valid);
  if (request.op != MemOp::write) {  // a write has byte masks: a partial sector is not fetched
    const uint8_t fetched = asked_for(request, line);
    out.fetched = sector_count(fetched);
    line.valid |= fetched;
  }
  line.valid |= request.sectors;
  if (request.op != MemOp::read && request.link_epoch == 0) {
    const bool was_clean = line.dirty == 0;
    line.dirty |= request.sectors;
    out.cleaned = was_clean ? write_back_early(request.tag()) : 0;
  }
  return out;
}

void L2Slice::write_to_dram(Cycle now, int sectors, ModelCounters& counters) {
  if (sectors != 0) {
    channel_.write(now, sectors);
    counters.dram_write_sectors += static_cast<uint64_t>(sectors);
  }
}

uint64_t L2Slice::lookup(Cycle now, MemRequest& request, ModelCounters& counters) {
  const Access found = access(request);
  const int wanted = sector_count(request.sectors);
  counters.l2_sectors[static_cast<size_t>(request.op)] += static_cast<uint64_t>(wanted);
  counters.l2_hits += static_cast<uint64_t>(found.hits);
  write_to_dram(now, found.evicted, counters);
  if (found.evicted_by_copy != 0) {
    mirror_->write_to_dram(now, found.evicted_by_copy, counters);
  }
  if (request.link_epoch != 0 && request.op != MemOp::read) {  // written through
    link_.write(now, wanted);
    counters.link_write_sectors += static_cast<uint64_t>(wanted);
  }
  uint64_t wait = 0;
  if (request.op != MemOp::write) {
    uint64_t& fill = (found.line != nullptr ? found.line : found.copy)->fill;
    wait = fill > now.value ? fill - now.value : 0;  // joins a fill in flight
    if (found.fetched != 0) {
      wait = std::max(wait, fetch(now, request, found.fetched, counters));
      fill = now.value + wait;
    }
    if (found.line == nullptr) {
      request.far = false;
    } else if (found.copy != nullptr) {
      found.copy->fill = now.value + wait;
    }
  }
  write_to_dram(now, found.cleaned, counters);
  return wait;
}

Cycle L2Slice::next_event() const {
  if (input_.empty()) {
    return kNever;
  }
  const MemRequest* first = input_.peek(input_.next_ready());
  const Cycle accepts = first->link_epoch != 0 ? link_.accepts_at() : channel_.accepts_at();
  return later(input_.next_ready(), later(whole(free_), accepts));
}

void L2Slice::place(uint64_t line) {
  SectorCache::Line* entry = tags_.find(line);
  SectorCache::Evicted evicted;
  entry = entry != nullptr ? entry : tags_.insert(line, evicted);
  entry->valid = 0xf;
  entry->dirty = 0;
  if (SectorCache::Line* copy = mirror_ != nullptr ? mirror_->tags_.find(line) : nullptr; copy != nullptr) {
    copy->valid = 0;
  }
}

void L2Slice::warm(const MemRequest& request, ModelCounters& counters) {
  const Access found = access(request);
  counters.dram_write_sectors += static_cast<uint64_t>(found.evicted + found.evicted_by_copy + found.cleaned);
  (request.link_epoch != 0 ? counters.link_read_sectors : counters.dram_read_sectors) +=
      static_cast<uint64_t>(found.fetched);
}

void L2Slice::describe(std::string& out) const {
  out += fmt::format("l2 slice {}: {} requests queued, data stage free at {}\n", index_, input_.size(), free_ / kFine);
}

}  // namespace hpml::sim::timing
