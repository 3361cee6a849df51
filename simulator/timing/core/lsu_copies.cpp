// The copy engine of an SM (TMA): bulk copies, line by line, past L1 and past the queues of the warps. How fast it asks
// is not published; a line a cycle is more than the SM's port to the crossbar lets through.
#include <algorithm>

#include "simulator/timing/core/lsu.hpp"

namespace hpml::sim::timing {

namespace {

MemOp op_of(const exec::BulkRange& range) {
  switch (range.op) {
    case exec::BulkRange::Op::read: return MemOp::read;
    case exec::BulkRange::Op::write: return MemOp::write;
    case exec::BulkRange::Op::reduce: return MemOp::reduction;
  }
  return MemOp::read;
}

// Takes the part in its first line off a range.
void drop_line(exec::BulkRange& range) {
  const uint64_t part = std::min(range.bytes, kLineBytes - range.address % kLineBytes);
  range.address += part;
  range.bytes -= part;
}

}  // namespace

// Where the caches see it.
exec::Access::Line Lsu::first_line(const exec::BulkRange& range) const {
  const uint64_t line = range.address / kLineBytes, begin = range.address % kLineBytes;
  const uint64_t end = std::min(begin + range.bytes, kLineBytes);
  const uint64_t first = begin / kSectorBytes, last = (end - 1) / kSectorBytes;
  const auto sectors = static_cast<uint8_t>((2u << last) - (1u << first));
  return {apertures_ != nullptr ? apertures_->place(line) : line, sectors};
}

uint32_t Lsu::copy(int warp_slot, uint64_t age, const exec::Effects& effects, Cycle now) {
  uint32_t load = kNoLoad;
  for (int i = 0; i < effects.range_count; ++i) {
    const exec::BulkRange& range = effects.ranges[static_cast<size_t>(i)];
    const bool reads = range.op == exec::BulkRange::Op::read;
    load = reads && load == kNoLoad ? new_load(warp_slot, age) : load;
    copies_at_ = copies_.empty() ? later(copies_at_, now + spec_.core.lsu_front_cycles) : copies_at_;
    copies_.push_back({range, reads ? load : kNoLoad, i + 1 == effects.range_count});
  }
  return load;
}

void Lsu::serve_copies(Cycle now) {
  if (copies_.empty() || copies_blocked_ || copies_at_ > now || !port_.out.can_send()) {
    return;
  }
  Copy& copy = copies_.front();
  if (!start_line(copy, now)) {
    copies_blocked_ = true;
    return;
  }
  copies_at_ = now + 1;
  drop_line(copy.range);
  if (copy.range.bytes > 0) {
    return;
  }
  if (copy.last && copy.load != kNoLoad) {
    Load& load = loads_[copy.load];
    load.sent = true;
    load.ready = later(load.ready, now + (spec_.of(isa::Lat::ld_global).latency - spec_.core.lsu_front_cycles));
    finish_if_done(copy.load);
  }
  copies_.pop_front();
}

// False: no miss register is free.
bool Lsu::start_line(const Copy& copy, Cycle now) {
  const exec::Access::Line line = first_line(copy.range);
  if (copy.range.op != exec::BulkRange::Op::read) {
    request(op_of(copy.range), line.line, line.sectors, 0, now);
    return true;
  }
  int miss = mshr_.find(line.line);
  const uint8_t asked = miss >= 0 ? mshr_.entry(miss).pending : uint8_t{0};
  const uint8_t to_ask = line.sectors & static_cast<uint8_t>(~asked);
  if (!mshr_.can_add(miss, sector_count(to_ask))) {
    return false;
  }
  if (to_ask != 0) {
    miss = mshr_.add(miss, line.line, to_ask, false);
    request(MemOp::read, line.line, to_ask, static_cast<uint32_t>(miss), now);
  }
  mshr_.wait(miss, copy.load, line.sectors);
  loads_[copy.load].pending += 1;
  return true;
}

void Lsu::warm(std::span<const exec::BulkRange> ranges, WarmingPort& below) const {
  for (exec::BulkRange range : ranges) {
    for (; range.bytes > 0; drop_line(range)) {
      const exec::Access::Line line = first_line(range);
      below.warm({.line = line.line, .sm = static_cast<uint16_t>(sm_), .op = op_of(range), .sectors = line.sectors});
    }
  }
}

}  // namespace hpml::sim::timing
