#include "simulator/timing/cache/tlb.hpp"

#include <algorithm>

namespace hpml::sim::timing {

namespace {

// Fully associative: a set of all its entries.
SectorCache level(uint32_t reach_mib, uint32_t page_kib) {
  const uint32_t entries = static_cast<uint32_t>(uint64_t{reach_mib} * 1024 / page_kib);
  return SectorCache(entries, 1, entries);
}

uint64_t left(const SectorCache::Line& entry, Cycle now) { return entry.fill > now.value ? entry.fill - now.value : 0; }

}  // namespace

Translation::Translation(const GpuSpec& spec)
    : l2_hit_delay_(spec.tlb.l2_hit_cycles),
      walk_delay_(spec.tlb.walk_cycles),
      l1_page_lines_(uint64_t{spec.tlb.l1_page_kib} * 1024 / 128),
      l2_page_lines_(uint64_t{spec.tlb.l2_page_kib} * 1024 / 128),
      own_(spec.tlb.l1_reach_mib > 0 ? spec.topology.sms : 0, level(spec.tlb.l1_reach_mib, spec.tlb.l1_page_kib)),
      shared_(level(spec.tlb.l2_reach_mib, spec.tlb.l2_page_kib)) {}

uint64_t Translation::delay(size_t sm, uint64_t line, Cycle now) {
  if (own_.empty()) {
    return 0;
  }
  const uint64_t page = line / l1_page_lines_;
  if (const SectorCache::Line* entry = own_[sm].find(page); entry != nullptr) {
    return left(*entry, now);
  }
  SectorCache::Evicted unused;
  const uint64_t shared_page = line / l2_page_lines_;
  SectorCache::Line* entry = shared_.find(shared_page);
  uint64_t wait = walk_delay_;
  if (entry != nullptr) {
    wait = std::max(l2_hit_delay_, left(*entry, now));
  } else {
    shared_.insert(shared_page, unused)->fill = now.value + wait;
  }
  own_[sm].insert(page, unused)->fill = now.value + wait;
  return wait;
}

}  // namespace hpml::sim::timing
