#include "simulator/timing/accesses.hpp"

#include <cmath>

#include "simulator/timing/packets.hpp"

namespace hpml::sim::timing {

namespace {

uint64_t scaled(uint64_t count, double factor) {
  return static_cast<uint64_t>(std::llround(static_cast<double>(count) * factor));
}

// `count` of a part of the launch with `some` accesses, extrapolated to a launch with `all`. A part without accesses
// says nothing of the hit rate, so each access is taken to pass through.
uint64_t in_all(uint64_t count, double some, double all) {
  return some > 0 ? scaled(count, all / some) : count + scaled(1, all);
}

double sum(const std::array<uint64_t, 4>& sectors, std::initializer_list<MemOp> ops) {
  uint64_t out = 0;
  for (const MemOp op : ops) {
    out += sectors[static_cast<size_t>(op)];
  }
  return static_cast<double>(out);
}

}  // namespace

Accesses Accesses::of(const exec::Counters& c) {
  const auto sectors = [](uint64_t counted, uint64_t bulk_bytes = 0) {
    return static_cast<double>(counted) + static_cast<double>(bulk_bytes) / kSectorBytes;
  };
  const uint64_t loads = c.global_ld.sectors + c.local_ld.sectors, stores = c.global_st.sectors + c.local_st.sectors;
  return {.l1 = sectors(loads + stores),
          .l2 = {sectors(loads, c.bulk_read), sectors(stores, c.bulk_written), sectors(c.global_atom.sectors),
                 sectors(c.global_red.sectors)}};
}

void Accesses::add(const Accesses& other, double factor) {
  l1 += other.l1 * factor;
  for (size_t op = 0; op < l2.size(); ++op) {
    l2[op] += other.l2[op] * factor;
  }
}

void extrapolate(TrafficCounters& counters, const Accesses& some, const Accesses& all) {
  counters.l1_hits = scaled(counters.l1_hits, some.l1 > 0 ? all.l1 / some.l1 : 1);
  counters.l1_sectors = in_all(counters.l1_sectors, some.l1, all.l1);
  const std::array<uint64_t, 4> before = counters.l2_sectors;
  for (size_t op = 0; op < before.size(); ++op) {
    counters.l2_sectors[op] = in_all(before[op], some.l2[op], all.l2[op]);
  }
  using enum MemOp;
  const auto by = [&](std::initializer_list<MemOp> ops) {
    const double was = sum(before, ops);
    return was > 0 ? sum(counters.l2_sectors, ops) / was : 1;
  };
  const double fetches = by({read, atomic, reduction}), writes = by({write, atomic, reduction});
  counters.l2_hits = scaled(counters.l2_hits, by({read, write, atomic, reduction}));
  counters.dram_read_sectors = scaled(counters.dram_read_sectors, fetches);
  counters.link_read_sectors = scaled(counters.link_read_sectors, fetches);
  counters.dram_write_sectors = scaled(counters.dram_write_sectors, writes);
  counters.link_write_sectors = scaled(counters.link_write_sectors, writes);
}

}  // namespace hpml::sim::timing
